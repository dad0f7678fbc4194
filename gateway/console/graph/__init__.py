"""The graph of links between memories, drawn on the server, to be walked link by link."""
