"""A provider for promptfoo: what an agent reads that searches a store. In promptfooconfig.yaml: providers, file://slowwave_provider.py."""

import json
import os
import urllib.parse
import urllib.request


def call_api(prompt, options, context):
    """Return the texts of the memories that a search finds, best first."""
    config = options.get("config", {})
    store = f"/api/stores/{config.get('store', 'default')}"
    try:
        hits = ask(f"{store}/search?{urllib.parse.urlencode({'q': prompt, 'limit': config.get('hits', 5)})}")["data"]
        texts = [hit["excerpt"] if hit["archived"] else ask(f"{store}/memories/{hit['id']}")["content"] for hit in hits]
    except OSError as error:
        return {"error": f"slowwave did not answer: {error}"}
    return {"output": "\n\n".join(texts), "metadata": {"paths": [hit["path"] for hit in hits]}}


def ask(path):
    """Return the answer of the API."""
    key = os.environ["SLOWWAVE_KEY"]
    request = urllib.request.Request(os.environ["SLOWWAVE_URL"] + path, headers={"Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)
