"""Flower's options, for `slowwave up` and for the image alike. The login comes from FLOWER_BASIC_AUTH, never from here."""

#: Flower shows; it stops no worker and revokes no task. Levers are slowwave's own: pause, cancel, reconcile.
read_only = True
#: Which tenant and dream a task is about stands in its arguments, which Flower does not show by itself.
tasks_columns = "name,kwargs,state,received,runtime,worker,uuid"
#: A live view; the history is the dreams' own, in PostgreSQL.
max_tasks = 10_000
persistent = False
#: A worker of an image that was replaced is forgotten after five minutes.
purge_offline_workers = 300
