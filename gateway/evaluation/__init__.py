"""An evaluation in words and in other formats, for the command line, the API and the console."""
