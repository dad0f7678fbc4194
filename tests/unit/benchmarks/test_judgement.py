"""The benchmark of judgement grades any folder of its shapes: a wrong merge and a refused duplicate show in its rows."""

import json
from pathlib import Path

from benchmarks.judgement.by_reference import grade_by_reference
from benchmarks.judgement.finding import grade_cues, grade_lines, grade_paraphrases
from benchmarks.judgement.material import read_material
from benchmarks.judgement.merging import count_answers, grade, in_frames, pairs_of
from benchmarks.judgement.twins import grade_twins
from tests.support.families import DUPLICATES, SIBLINGS, Family


def write(folder: Path, name: str, families: list[Family]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    listed = [{"family": str(number), "documents": documents} for number, documents in enumerate(families)]
    (folder / name).write_text(json.dumps(listed), encoding="utf-8")


def test_every_file_of_a_known_shape_is_read_wherever_it_lies(tmp_path: Path) -> None:
    write(tmp_path / "deep", "siblings-2.json", [SIBLINGS["endpoints"]])
    write(tmp_path, "duplicates.json", [DUPLICATES["a copy"]])
    (tmp_path / "paraphrases.json").write_text('[["It rains.", "Water falls."]]', encoding="utf-8")
    (tmp_path / "pairs.jsonl").write_text('{"a": "x", "b": "y", "nli": "CONTRADICTION"}\n', encoding="utf-8")
    (tmp_path / "cues.jsonl").write_text('{"text": "Remember: use tabs.", "kinds": ["save"]}\n', encoding="utf-8")
    found = read_material(tmp_path)
    assert (len(found.siblings), len(found.duplicates), len(found.pairs)) == (1, 1, 1)
    assert found.paraphrases == [("It rains.", "Water falls.")]
    assert (len(found.cues), found.transcripts) == (1, [])


def test_a_row_counts_what_is_merged_proposed_and_kept_apart() -> None:
    siblings = {row["model"]: row for row in grade("siblings", pairs_of([SIBLINGS["endpoints"]]), "merged 0")}
    assert {(row["pairs"], row["merged"], row["apart"]) for row in siblings.values()} == {(3, 0, 3)}
    copies = {row["model"]: row for row in grade("duplicates", pairs_of([DUPLICATES["a copy"]]), "")}
    assert (copies["none"]["merged"], copies["none"]["sentence gone"]) == (1, 0)


def test_a_statement_that_a_longer_one_begins_with_is_not_gone() -> None:
    short = "# Bishops\n\nBishops move along diagonals. They never jump.\n"
    longer = short.rstrip() + " They stand beside the king.\n"
    (row, *_) = grade("duplicates", pairs_of([{"chess/bishop.md": short, "chess/bishops.md": longer}]), "")
    assert (row["merged"], row["sentence gone"]) == (1, 0)


def test_edits_are_shorter_than_the_text_that_they_come_to() -> None:
    tokens = {str(row["model"]): row["tokens"] for row in count_answers(pairs_of(list(DUPLICATES.values())))}
    wanted = ["joins by no edits", "leaves out the second text", "keeps the first text", "merges everything"]
    assert sorted(tokens, key=lambda name: int(str(tokens[name]))) == wanted


def test_a_pair_of_sentences_is_graded_alone_and_inside_a_note() -> None:
    frames = dict(in_frames([{"a": "The door is open.", "b": "The door is shut."}]))
    assert [text for _, text in frames["plain"][0]] == ["The door is open.\n", "The door is shut.\n"]
    assert all("The door is" in text and "last review" in text for _, text in frames["note"][0])


def test_findings_are_counted_against_the_labels(tmp_path: Path) -> None:
    rows = grade_paraphrases([("The cat sleeps on the sofa.", "On the sofa sleeps the cat.")])
    assert rows[0]["found"] == 1
    (any_cue, *_) = grade_cues(
        [{"text": "Remember that we use tabs.", "kinds": ["save"]}, {"text": "Hi.", "kinds": []}]
    )
    assert (any_cue["precision"], any_cue["recall"]) == (1.0, 1.0)
    log = tmp_path / "logs" / "2026" / "03" / "2026-03-04.md"
    log.parent.mkdir(parents=True)
    log.write_text("- 09:00 The cluster moved to Oslo.\n- 10:00 Backups run at two.\n", encoding="utf-8")
    (row,) = grade_lines([log])
    assert (row["files"], row["events"]) == (1, 2)


def test_a_merge_by_reference_is_graded_with_a_second_reader_who_confirms_everything_and_with_none() -> None:
    pairs = [(("a/one.md", "The gate is open.\n"), ("a/two.md", "A gate stands open at 7.\n"))]
    rows = {(row["model"], row["second reader"]): row for row in grade_by_reference("pairs", pairs, "")}
    forced, alone = (rows["places everything", reader] for reader in ("confirms everything", "none"))
    assert (forced["merged"], forced["sentence gone"], forced["told apart"]) == (1, 0, 1)
    assert rows["leaves out the second text", "confirms everything"]["merged"] == 1
    assert (alone["merged"], alone["proposed"]) == (0, 1)


def test_a_second_note_is_made_of_each_note_and_a_sensible_model_merges_the_two(tmp_path: Path) -> None:
    items = "".join(
        f"- Do not use **port {port}** for room {port % 7}\n" for port in (4_001, 4_002, 4_003, 4_004, 4_005)
    )
    (tmp_path / "ports.md").write_text(f"# Ports\n\nThe list is kept by Ana.\n\n## Taken\n\n{items}", encoding="utf-8")
    (tmp_path / "short.md").write_text("# Short\n\nToo short to be measured.\n", encoding="utf-8")
    for row in grade_twins(tmp_path):
        assert (row["notes"], row["merged"], row["left out"]) == (1, 1, 6), "one item has no twin, Ana has two"
