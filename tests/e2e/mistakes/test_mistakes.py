"""Mistakes of a newcomer: each is answered by what was wrong and the way out, and none by a traceback."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from shared.adapters.embedded.endpoints import Endpoints
from tests.e2e.cli.cli_support import DEMO_NOTES, Cli, Ran, a_cli, a_cli_beside
from tests.support.cli_processes import run_command
from tests.support.database.small_disk import a_small_disk


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A command, with {place} for a folder of files, its exit code, and what its answer must hold."""

    command: str
    says: tuple[str, ...]
    code: int = 2
    env: Mapping[str, str] = field(default_factory=dict)


#: What does not need the tenant's dream.
MISTAKES = {
    "a folder that is not there": Mistake(
        command="import {place}/nowhere -t acme", says=("no folder", "nowhere", "name the folder")
    ),
    "a file where a folder is meant": Mistake(
        command="import {place}/txt/a.txt -t acme", says=("a.txt is a file", "name the folder")
    ),
    "an empty folder": Mistake(command="import {place}/empty -t acme", says=("is empty", "nothing to import")),
    "a slip in a command": Mistake(command="imprt x", says=("No such command 'imprt'", "'import'")),
    "a slip in a command of a group": Mistake(command="dreams shwo acme", says=("No such command 'shwo'", "'show'")),
    "no tenant": Mistake(command="import {place}/txt", says=("Missing option", "--tenant", "SLOWWAVE_TENANT")),
    "a slip in a tenant": Mistake(
        command="status acmee", code=4, says=("no tenant 'acmee'", "did you mean 'acme'?", "tenants create acmee")
    ),
    "an option before the command": Mistake(
        command="--tenant acme status", says=("--tenant", "after the command", "slowwave COMMAND --help")
    ),
    "a tenant as an option": Mistake(command="status --tenant acme", code=0, says=("acme/default",)),
    "a slip in an option": Mistake(command="dream acme --forse", says=("No such option: --forse", "--force")),
    "a slip in a store": Mistake(
        command="status acme/defaultt",
        code=4,
        says=("no store 'defaultt'", "did you mean 'default'?", "stores create acme/defaultt"),
    ),
    "a name of two words": Mistake(command="tenants create Acme Inc", says=("Inc", "--help")),
    "a name with signs": Mistake(command="tenants create Acme!", says=("'Acme!' cannot be a tenant name", "letters")),
    "a dream that is not there": Mistake(
        command="dreams show acme drm_123", code=4, says=("no dream drm_123", "dreams list acme")
    ),
    "an operation that is not there": Mistake(
        command="review show acme op_zzz", code=4, says=("no operation 'op_zzz'", "review pending acme")
    ),
    "a slip in a path": Mistake(
        command="memory show acme notes/nope.md", code=4, says=("no memory 'notes/nope.md'", "memory list acme")
    ),
    "an export to a file": Mistake(
        command="export {place}/txt/a.txt -t acme", says=("a.txt is a file", "name a folder")
    ),
    "an unknown model": Mistake(
        command="tenants set other --model claude-hauku-4-5",
        code=0,
        says=("claude-hauku-4-5 is in no list of prices", "did you mean 'claude-haiku-4-5'?"),
    ),
    "a slip in a setting": Mistake(
        command="stores set acme/default --set gates.min_hour=4",
        says=("no setting 'gates.min_hour'", "did you mean gates.min_hours?"),
    ),
    "a word for a number": Mistake(
        command="stores set acme/default --set gates.min_hours=four", says=("takes a number from 0", "not 'four'")
    ),
    "a slip in a profile": Mistake(
        command="stores set acme/default --profile byterovr", says=("no profile 'byterovr'", "byterover")
    ),
    "an unknown role": Mistake(
        command="keys create acme --role root", says=("'root' is not one of", "'agent'", "'admin'")
    ),
    "a model without its key": Mistake(
        command="doctor", code=1, env={"SLOWWAVE_LLM": "anthropic"}, says=("SLOWWAVE_LLM_API_KEY",)
    ),
    "a slip in the model's adapter": Mistake(
        command="status acme", env={"SLOWWAVE_LLM": "antropic"}, says=("SLOWWAVE_LLM", "'anthropic'", "'offline'")
    ),
    "another form of the database's address": Mistake(
        command="status acme",
        env={"SLOWWAVE_DATABASE_URL": "postgres://u:hidden@h/x"},
        says=("SLOWWAVE_DATABASE_URL", "write postgresql+psycopg://u:…@h/x"),
    ),
    "a broker that does not answer": Mistake(
        command="dream waiting --force --detach",
        code=0,
        env={"SLOWWAVE_REDIS_URL": "redis://127.0.0.1:1/0"},
        says=("does not answer", "SLOWWAVE_REDIS_URL", "The dream is queued"),
    ),
    "frontmatter that is no YAML": Mistake(
        command="import {place}/yaml -t files", code=0, says=("no valid YAML", "Mend it and import it again")
    ),
    "a binary file": Mistake(command="import {place}/binary -t files", says=("not UTF-8", "save it as UTF-8")),
    "a file in Latin-1": Mistake(command="import {place}/latin -t files", says=("not UTF-8", "save it as UTF-8")),
    "a file in UTF-16": Mistake(command="import {place}/utf16 -t files", says=("UTF-16", "save it as UTF-8")),
    "a file of 10 MB": Mistake(
        command="import {place}/large -t files", code=0, says=("more than a model reads", "better in parts")
    ),
    "line ends of Windows": Mistake(command="import {place}/crlf -t files", code=0, says=("1 created",)),
    "emoji and spaces in names": Mistake(command="import {place}/names -t files", code=0, says=("2 created",)),
    "a link that leads outside": Mistake(command="import {place}/links -t files", code=0, says=("1 created", "link")),
    "only text files": Mistake(command="import {place}/txt -t files", says=("end in .md", "Nothing was taken")),
    "an empty file": Mistake(command="import {place}/nothing -t files", code=0, says=("is empty",)),
    "all projects of Claude Code": Mistake(
        command="import {place}/projects -t files",
        code=0,
        says=("1 created", "-home-me-app/s1.jsonl", "sessions import"),
    ),
    "two names that differ by their case": Mistake(command="import {place}/case -t files", code=0, says=("2 created",)),
    "sessions as memories": Mistake(command="import {place}/sessions -t files", says=("end in .md", "sessions import")),
    "memories as sessions": Mistake(
        command="sessions import {place}/crlf -t files", says=("no transcript", "Known formats")
    ),
    "a transcript of no known format": Mistake(
        command="sessions import {place}/jsonl/a.jsonl -t files", says=("format is not known", "--format")
    ),
    "no dream to undo": Mistake(command="dream waiting --undo", code=5, says=("No dream to undo", "waiting/default")),
    "a file of variables that is not there": Mistake(
        command="status acme", env={"SLOWWAVE_ENV_FILE": "nope.env"}, says=("SLOWWAVE_ENV_FILE", "nope.env")
    ),
    "a plain terminal": Mistake(
        command="status acme", code=0, env={"LANG": "C", "LC_ALL": "C"}, says=("acme/default",)
    ),
    "no colours": Mistake(command="status acme", code=0, env={"NO_COLOR": "1"}, says=("acme/default",)),
    "no home": Mistake(command="--version", code=0, env={"HOME": "/nowhere"}, says=("slowwave",)),
}
#: Without servers of the test's own.
DATA_MISTAKES = {
    "a data folder that cannot be made": Mistake(
        command="status acme",
        code=1,
        env={"SLOWWAVE_DATA_DIR": "/proc/nope"},
        says=("/proc/nope cannot be used", "SLOWWAVE_DATA_DIR"),
    ),
    "a file as the data folder": Mistake(
        command="status acme",
        code=1,
        env={"SLOWWAVE_DATA_DIR": "/etc/passwd"},
        says=("/etc/passwd cannot be used", "SLOWWAVE_DATA_DIR"),
    ),
}


@pytest.fixture(scope="module")
def cli(servers: Endpoints, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cli]:
    """Return commands over a database that has two tenants: acme with memories, and waiting, which never dreamt."""
    with a_cli_beside(servers, tmp_path_factory.mktemp("data")) as found:
        found.run("import", DEMO_NOTES, "--tenant", "acme")
        found.run("tenants", "create", "waiting")
        found.run("tenants", "create", "other")
        yield found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with folders of files that go wrong."""
    root = tmp_path_factory.mktemp("files")
    files: dict[str, bytes] = {
        "txt/a.txt": b"A note.\n",
        "yaml/a.md": b"---\ntitle: [open\n---\n# A\n\nA note.\n",
        "binary/a.md": bytes(range(128, 256)) * 16,
        "latin/a.md": b"The caf\xe9 is open.\n",
        "utf16/a.md": "# A note\n".encode("utf-16"),
        "large/big.md": b"# Big\n\n" + b"A line of text. " * 640_000,
        "crlf/windows.md": b"# Windows\r\n\r\nA note.\r\n",
        "names/a note with spaces.md": b"# A\n\nA note.\n",
        "names/🚀.md": b"# B\n\nA note.\n",
        "links/real.md": b"# Real\n\nA note.\n",
        "nothing/empty.md": b"",
        "case/Note.md": b"# One\n",
        "case/note.md": b"# Two\n",
        "sessions/a.jsonl": b'{"role": "user", "content": "Hello"}\n',
        "jsonl/a.jsonl": b'{"a": 1}\nno json\n',
        "projects/-home-me-app/s1.jsonl": b'{"type": "user", "message": {"role": "user", "content": "Hello"}}\n',
        "projects/-home-me-app/memory/port.md": b"# Port\n\nThe API listens on 4001.\n",
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "empty").mkdir()
    (root / "links" / "outside.md").symlink_to(root / "crlf" / "windows.md")
    return root


def _make(cli: Cli, place: Path, mistake: Mistake) -> Ran:
    arguments = [word.format(place=place) for word in mistake.command.split()]
    ended = run_command(arguments, cli.environment(**mistake.env))
    return Ran(code=ended.code, out=ended.out.decode(), err=ended.err.decode())


def _check(ran: Ran, mistake: Mistake) -> None:
    # A terminal's frame folds sentences.
    said = " ".join((ran.out + ran.err).replace("│", " ").split())
    missing = [words for words in mistake.says if words not in said]
    assert not missing, said
    assert "Traceback" not in said
    assert "Value error" not in said
    assert ran.code == mistake.code, said


@pytest.mark.thorough
@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_answered_by_what_was_wrong_and_the_way_out(cli: Cli, place: Path, mistake: Mistake) -> None:
    _check(_make(cli, place, mistake), mistake)


@pytest.mark.thorough
@pytest.mark.parametrize("mistake", DATA_MISTAKES.values(), ids=DATA_MISTAKES.keys())
def test_a_data_folder_that_cannot_be_used_is_named_with_its_variable(place: Path, mistake: Mistake) -> None:
    with a_cli(servers=False) as cli:
        _check(_make(cli, place, mistake), mistake)


@pytest.mark.thorough
def test_a_disk_without_room_for_the_servers_is_named_with_the_way_out() -> None:
    with TemporaryDirectory(prefix="sw-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as another user than root
        with a_small_disk(Path(folder) / "disk", os.getuid(), 12) as disk, a_cli(servers=False) as cli:
            says = ("No space left on device", "Free some space", "SLOWWAVE_DATA_DIR")
            up = Mistake(command="up", code=1, env={"SLOWWAVE_DATA_DIR": str(disk)}, says=says)
            _check(_make(cli, disk, up), up)


@pytest.mark.thorough
def test_an_export_to_a_full_disk_says_where_it_stopped_and_what_to_do(cli: Cli, tmp_path: Path) -> None:
    with a_small_disk(tmp_path / "disk", os.getuid(), 1) as disk:
        (disk / "filler").write_bytes(bytes((1 << 20) - (24 << 10)))
        (disk / "notes").mkdir()
        said = cli.run("export", disk / "notes", "--tenant", "acme", expect=2).err
    assert "Writing stopped at" in said
    assert "Free some space and try again" in said


@pytest.mark.thorough
def test_a_reader_that_leaves_early_is_no_failure(cli: Cli) -> None:
    command = [*cli.command("memory", "list", "acme")]
    with subprocess.Popen(
        command, env=cli.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
        assert process.wait(timeout=120) == 0


@pytest.mark.thorough
def test_what_was_undone_is_not_done_again_and_the_dream_says_how_to_allow_it() -> None:
    with a_cli() as cli:
        cli.run("import", DEMO_NOTES, "--tenant", "again")
        dream = cli.json("dream", "again", "--force")["id"]
        waiting = cli.json("review", "pending", "again")
        cli.run("dream", "again", "--undo")
        said = cli.run("review", "approve", "again", waiting[0]["id"], expect=5).err
        assert "redo its dream if that was undone" in said
        assert "--redo" in cli.run("dream", "again", "--undo", expect=5).err
        told = cli.run("dream", "again", "--force").out
        assert "dream again --store default --again --force" in told
        assert f"dream again {dream} --redo" in told
