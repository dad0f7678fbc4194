"""Name the operations and schemas of the OpenAPI document for people who generate clients: `startDream`, `Dream`.

FastAPI calls an operation after its function and path, and a schema after its module where two classes share a name.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

#: The summary of these says less than a name has to.
_OPERATIONS = {
    "Approve one": "approve_operation", "Reject one": "reject_operation", "Reopen one": "reopen_operation",
    "Why does it remember that?": "explain_memory", "Explain why a store does not dream": "get_store_status",
    "List a dream's operations with diffs": "list_dream_operations", "Record a use": "record_skill_use",
    "Record runs": "record_workflow_runs", "List the tenant's changes": "list_changes", "Get your costs": "get_costs",
    "Write a new memory": "create_memory", "Begin a session": "create_session", "Make a store": "create_store",
    "Get the digest of a week": "get_insight", "Make a key": "create_key", "Make a tenant": "create_tenant",
    "List models and their exams": "list_models", "Get a notice of recent dreams for the agent": "get_notice",
    "Set the agent's activity": "set_activity", "Search memories and sessions together": "search_all",
    "Get the settings in force for a store": "get_effective_settings", "Estimate what a dream would cost": "estimate_dream",
    "Set the tenant's time zone and language": "set_settings", "Export the files of a store": "export_store",
    "Approve several operations": "approve_operations", "Reject several operations": "reject_operations",
    "Redo an undone dream": "redo_dream", "Enable a webhook again": "enable_webhook",
    "List the changes of all tenants": "list_all_changes", "Get the costs of all tenants": "get_all_costs",
    "Send failed deliveries again": "replay_deliveries", "Send a delivery again": "replay_delivery",
    "Get the installation's switches": "get_installation", "Set the installation's switches": "set_installation",
    "Get the tenant's settings": "get_settings", "Liveness": "get_liveness", "Readiness": "get_readiness",
}  # fmt: skip
_ARTICLES = frozenset({"a", "an", "the"})
_WORD = re.compile(r"[A-Za-z]+")
_PAGE = re.compile(r"(?:Noted)?Page_(.+)_")
_MODULE = re.compile(r"gateway__api__(v1__)?(?:\w+?__)*(?=[A-Z])")
_V1 = "_v1_"
_UNIONS = {"Union_MemoryOut__PrefixOut_": "MemoryOrPrefix", "Annotated_Union_StoreResourceOut": "SessionResource"}
#: Two classes of these names would be one.
_SCHEMAS = {"StoreInput": "DreamStoreInput", "ProblemOut": "StoreProblem", "CycleOut": "CycleAnswer"}
_ENDS = (("Out", ""), ("In", "Input"))


def name_all(document: dict[str, Any]) -> None:
    """Give every operation and every schema of a document its name, in place."""
    for path, operation in _operations(document):
        operation["operationId"] = name_operation(operation["summary"], is_v1=path.startswith("/v1"))
    schemas = document["components"]["schemas"]
    names = {old: name_schema(old) for old in schemas}
    taken: dict[str, str] = {}
    for old, new in names.items():
        if taken.setdefault(new, old) != old:
            is_v1 = _V1 in old or _V1 in _item_of(schemas[old])
            names[old] = f"V1{new}" if is_v1 else old
    document["components"]["schemas"] = {names[old]: schema for old, schema in schemas.items()}
    _rename(document, {f"#/components/schemas/{old}": f"#/components/schemas/{new}" for old, new in names.items()})


def name_operation(summary: str, *, is_v1: bool) -> str:
    """Return the id of an operation: `List a dream's operations` is `listDreamOperations`."""
    told: str = _OPERATIONS.get(summary, summary.replace("'s", ""))
    words = [word.lower() for word in _WORD.findall(told.replace("_", " ")) if word.lower() not in _ARTICLES]
    words = ["v1", *words] if is_v1 else words
    return "".join([words[0], *(word.capitalize() for word in words[1:])])


def name_schema(old: str) -> str:
    """Return the name of a schema: `gateway__api__v1__shapes__dreams__DreamOut` is `V1Dream`."""
    if old in _SCHEMAS:
        return _SCHEMAS[old]
    found = _MODULE.match(old)
    version = "V1" if found and found[1] else ""
    own = old[found.end() :] if found else old
    page = _PAGE.fullmatch(own)
    if page:
        item = next((name for start, name in _UNIONS.items() if page[1].startswith(start)), None)
        return f"{version}{item or _without_end(page[1])}Page"
    return f"{version}{_without_end(own)}"


def _item_of(schema: Mapping[str, Any]) -> str:
    """Return the reference to what a page has; empty for other schemas. A page is called after its module only if two are of one class."""
    reference: str = schema.get("properties", {}).get("data", {}).get("items", {}).get("$ref", "")
    return reference


def _without_end(name: str) -> str:
    for end, instead in _ENDS:
        if name.endswith(end) and len(name) > len(end):
            return name.removesuffix(end) + instead
    return name


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        yield from ((path, operation) for operation in methods.values())


def _rename(part: Any, names: Mapping[str, str]) -> None:  # noqa: ANN401 - JSON
    """Follow a document's references to the new names, in place."""
    if isinstance(part, list):
        for one in part:
            _rename(one, names)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref" and isinstance(value, str):
                part[key] = names.get(value, value)
            elif key == "mapping" and isinstance(value, dict):
                part[key] = {kind: names.get(ref, ref) for kind, ref in value.items()}
            else:
                _rename(value, names)
