"""Set Flower's options for `slowwave up` and for the image. The login is set by FLOWER_BASIC_AUTH, never here."""

from flower.views.monitor import Healthcheck, Metrics
from tornado.web import authenticated

#: Flower only shows; it cannot stop workers or revoke tasks. Use slowwave's own commands: pause, cancel, reconcile.
read_only = True
#: The arguments name the tenant and the dream of a task; Flower does not show them by default.
tasks_columns = "name,kwargs,state,received,runtime,worker,uuid"
#: A live view only; PostgreSQL has the history of dreams.
max_tasks = 10_000
persistent = False
#: A worker that is gone, such as one of a replaced image, is removed after five minutes.
purge_offline_workers = 300
#: Flower itself serves these two pages without a login; the first names every worker and task.
for page in (Metrics, Healthcheck):
    page.get = authenticated(page.get)
