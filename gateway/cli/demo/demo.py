"""`slowwave demo`: narrate a real dream over an example tenant, from a shut gate to undo. Needs no key and no services.

On a terminal, the demo ends with the console over the example tenant, until Ctrl-C.
"""

import os
import shlex
import shutil
import signal
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from gateway import programs
from gateway.cli.console.output import out, say, warn
from gateway.cli.console.session import Session, open_session
from gateway.cli.demo.narration import tell_faded, tell_preference, tell_sources
from gateway.cli.dreams.diff import print_diff
from gateway.cli.dreams.dream import show_end
from gateway.cli.dreams.review import print_line
from gateway.cli.dreams.status import print_status
from gateway.cli.dreams.watch import watch_dream
from gateway.cli.memories.files import read_into_store
from gateway.cli.sessions.transcripts import ImportRequest, import_transcripts, total
from gateway.phases import get_phases
from gateway.supervisor import Supervisor
from gateway.up_lock import hold_up_lock
from shared.adapters.embedded.servers import find_running
from shared.adapters.files.layout import find_memory_root
from shared.bootstrap import environment_of, local_servers
from shared.core.dream.model import Dream, ReviewState, Trigger
from shared.core.dream.operations import OperationKind
from shared.core.errors import SlowwaveError
from shared.core.memory.model import Memory
from shared.core.tenants.roles import Role
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.dreams import RecordedOperation
from shared.program import COMMAND
from shared.services.dreams.explain import explain_store
from shared.services.dreams.read import get_dream_view
from shared.services.dreams.send import send_dream
from shared.services.dreams.start import start_dream
from shared.services.operations.clear_verdicts import clear_verdicts
from shared.services.operations.review import find_reviews, reject_operation
from shared.services.operations.undo import undo_dream
from shared.services.tenants.keys import NewKey, create_key
from shared.settings import Settings, load_settings


def keep_console_up(session: Session, tenant: str, address: str) -> None:
    """Print the console's address and a key, and wait for Ctrl-C."""
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: stopped.set())
    ports = session.ports
    wanted = NewKey(name="the demo", role=Role.OPERATOR, expires_days=1)
    key = create_key(ports.db, ports.ids, tenant, wanted, actor="demo", actor_role=Role.OPERATOR)
    say(f"\n  Console  {address}/console", "bold green")
    say(f"  Key      {key.token}")
    say("\nCtrl-C ends the demo.")
    stopped.wait()
    say("Stopping …")


_TENANT = "demo"
_NEXT = (
    ("up", "everything on this machine: worker, beat, API, console, Flower"),
    ("import DIR --tenant acme", "a ByteRover tree, a Claude memory folder, any markdown"),
    ("dream acme --force", "watch it"),
    ("review pending acme", "approve, reject"),
    ("dream acme --undo", "take it back"),
)
#: The variables that would send a command to other servers than the demo's.
_SERVERS = tuple(f"SLOWWAVE_{name}" for name in ("DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "BROKER_URL"))
_FOLDER = Path(__file__).parents[2] / "demo_tenant"
_SESSIONS = Path(__file__).parents[2] / "demo_sessions"


def demo() -> None:
    """Run real dreams on an example tenant: watch one, read its log, reject an operation, undo the rest; then review another."""
    home = load_settings().data_dir / "demo"
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o711)  # under root, PostgreSQL runs as another user, which has to walk through to its files
    with hold_up_lock(home, "A demo runs"):
        _run(_own_settings(home / "data"))


def _own_settings(data_dir: Path) -> Settings:
    """Return settings for new embedded servers and the offline model, ignoring the environment."""
    servers = ("database_url", "owner_database_url", "redis_url", "broker_url")
    own = {"data_dir": data_dir, "llm": "offline"} | dict.fromkeys(servers)
    settings = load_settings().model_copy(update=own)
    if find_running(data_dir) is not None:  # an earlier demo was killed: its servers end when a holder leaves
        with local_servers(settings):
            pass
    shutil.rmtree(data_dir, ignore_errors=True)
    data_dir.mkdir(parents=True)
    return settings


def _run(settings: Settings) -> None:
    data_dir = settings.data_dir
    _chapter("1. Servers", "A PostgreSQL and a Redis-protocol server of its own, a Celery worker, and beat.")
    _say_where(data_dir.resolve())
    with open_session(settings) as session:
        wanted = [programs.worker(2), programs.beat(data_dir.resolve())]
        api, address = programs.api(settings.api_host, settings.api_port)
        if out.is_terminal:  # without one, no person could press Ctrl-C
            wanted.append(api)
        environment = environment_of(session.settings) | {"SLOWWAVE_LLM": "offline"}
        with Supervisor(tuple(wanted), environment, data_dir / "logs", warn):
            _story(session)
            if out.is_terminal:
                _chapter("14. The console", "What waits is there, too: compare, approve, reject, undo in a browser.")
                keep_console_up(session, _TENANT, address)
            _goodbye()


def _story(session: Session) -> None:
    ports = session.ports
    _chapter("2. Memories", "41 notes of a parcel company's agents: duplicates, a contradiction, stale drafts.")
    counts, _, _ = read_into_store(ports, find_memory_root(_FOLDER), _TENANT, DEFAULT_STORE, quiet=True)
    say(f"  {counts.created} memories imported into {_TENANT}/{DEFAULT_STORE}")
    before = _live(session)

    _read_sessions(session)

    _chapter("4. Gates", "Why has it not dreamt yet, and when will it?")
    print_status(explain_store(ports.db, _TENANT, DEFAULT_STORE, get_phases))

    _chapter("5. A dream", f"`{COMMAND} dream {_TENANT} --force` does not wait for the agent to be idle.")
    dream = _dream(session)

    view = get_dream_view(ports.db, _TENANT, dream.id)
    _chapter("6. The log", f"`{COMMAND} dreams show {_TENANT}`: each operation with its reason.")
    for recorded in view.operations:
        flag = " ⚑" if recorded.review is ReviewState.PENDING else ""
        say(f"  {recorded.operation.kind:<16} {recorded.operation.reason}{flag}", hang=19)

    _tell(session, view.operations)

    chosen = _pick(view.operations)
    _chapter("10. A diff", f"`{COMMAND} review show {_TENANT} {chosen.id}`: what one merge does.")
    print_diff(chosen)

    why = "support reads one of them, developers the other"
    _chapter("11. A rejection", f"`{COMMAND} review reject {_TENANT} {chosen.id} --why …`: its memories stay two.")
    reject_operation(ports.db, _TENANT, chosen.id, actor="demo", why=why)
    say(f"  rejected {chosen.id}: {why}")

    _chapter("12. Undo", f"`{COMMAND} dream {_TENANT} --undo`: the whole dream is taken back, byte for byte.")
    report = undo_dream(ports.db, _TENANT, dream.id, actor="demo")
    say(f"  {report.undone} operations undone, {len(report.conflicts)} conflicts")
    if _live(session) != before:
        raise SlowwaveError("The store is not what it was before the dream; please report this")
    say(f"  all {len(before)} memories are what they were before the dream", "green")
    _dream_again(session)


def _dream_again(session: Session) -> None:
    """End with a night that waits for a person: without this, what was undone would not be done again."""
    _chapter("13. Another night", f"`{COMMAND} dream {_TENANT} --again --force` may do what was rejected or undone.")
    clear_verdicts(session.ports.db, _TENANT, DEFAULT_STORE, actor="demo")
    _dream(session)
    _say_waiting(session)


def _say_where(data_dir: Path) -> None:
    """Say how the commands of the demo reach its servers from another terminal."""
    others = [name for name in (*_SERVERS, "SLOWWAVE_LLM") if os.environ.get(name)]
    reset = f"unset {' '.join(others)}; " if others else ""
    say("  For the commands below, in another terminal:")
    say(f"  {reset}export SLOWWAVE_DATA_DIR={shlex.quote(str(data_dir))}", "bold")


def _say_waiting(session: Session) -> None:
    """Print what waits for a person, each with its reason."""
    waiting = find_reviews(session.ports.db, _TENANT, limit=None)
    if not waiting:
        raise SlowwaveError("The dream left nothing to review; please report this")
    out.print()
    say(f"{len(waiting)} changes wait for you, and the next dreams leave them alone until you decide:", "bold")
    for recorded in waiting:
        print_line(recorded)


def _tell(session: Session, operations: tuple[RecordedOperation, ...]) -> None:
    _chapter("7. What the sessions taught", f"`{COMMAND} memory why {_TENANT} PATH`: who said it, and when.")
    tell_sources(session, _TENANT, operations)

    _chapter("8. A wish kept", "No user asked to keep it: it shows in what a user said.")
    tell_preference(session, _TENANT, operations)

    _chapter(
        "9. A memory that fades",
        "A memory that is not read or repeated loses importance; prune looks at it when it is low.",
    )
    tell_faded(session, _TENANT, operations)


def _dream(session: Session) -> Dream:
    ports = session.ports
    started = start_dream(ports.db, _TENANT, trigger=Trigger.CLI, force=True, actor="demo")
    if started.dream is None:
        msg = f"Dream skipped: {started.verdict.reason}"
        raise SlowwaveError(msg)
    send_dream(ports.db, ports.dispatch, started.dream)
    ended = watch_dream(ports, _TENANT, started.dream.id, quiet=False)
    show_end(session, ended, as_json=False)
    return ended


def _read_sessions(session: Session) -> None:
    _chapter(
        "3. Sessions",
        "Five conversations of those agents: a correction, a “yesterday”, a user who is tired of repeating it.",
    )
    request = ImportRequest(place=_SESSIONS, tenant=_TENANT, store=DEFAULT_STORE, quiet=True)
    read = total(import_transcripts(session.ports.db, request))
    say(f"  {read['added']} events of {read['sessions']} sessions imported")


def _live(session: Session) -> list[Memory]:
    """Return every live memory without its version number, which an undo does not reset."""
    with session.ports.db.transaction(_TENANT) as uow:
        found: Iterable[Memory] = uow.memories(uow.stores.get(DEFAULT_STORE).id).find_live()
        return [replace(memory, version=0) for memory in found]


def _pick(operations: tuple[RecordedOperation, ...]) -> RecordedOperation:
    merges = [op for op in operations if op.operation.kind is OperationKind.MERGE]
    if not merges:
        raise SlowwaveError("The dream merged nothing; please report this")
    return merges[0]


def _chapter(title: str, text: str) -> None:
    out.print()
    say(title, "bold cyan")
    say(f"  {text}", "dim")


def _goodbye() -> None:
    out.print()
    say("These were real dreams. Your own memories next, in a new terminal:", "bold")
    for command, text in _NEXT:
        say(f"  {COMMAND} {command:<26}{text}", hang=39)
