"""The benchmark of judgement: what a dream would do with families of memories, pairs, dates, cues and logs."""
