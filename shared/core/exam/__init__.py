"""The exam of a model: pairs of small notes that it joins or keeps apart, before what it merges is applied."""
