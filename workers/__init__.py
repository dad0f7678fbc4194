"""The workers. The one public name: `from workers import dream`, then `dream.delay("acme")`."""

from workers.tasks import dream

__all__ = ["dream"]
