"""The dependency audit fails for a known vulnerability, and passes with one line where nothing can be asked."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from deploy import audit
from tests.support.free_port import find_free_port

_LOCK = "celery==5.6.0 \\\n    --hash=sha256:" + "a" * 64 + "\nRe_dis==7.0 ; python_version < '4'\n"


@contextmanager
def a_database(answer: Callable[[list[str]], Any]) -> Iterator[str]:
    """A server that is asked for package URLs and answers with what `answer` makes of them."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            said = json.dumps(answer([one["package"]["purl"] for one in body["queries"]])).encode()
            self.send_response(200 if self.path == "/v1/querybatch" else 404)
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def lock(tmp_path: Path) -> str:
    path = tmp_path / "some.lock"
    path.write_text(_LOCK)
    return str(path)


def test_a_known_vulnerability_fails_the_check_until_it_is_accepted(
    lock: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []

    def answer(purls: list[str]) -> dict[str, Any]:
        asked.append(purls)
        return {"results": [{"vulns": [{"id": "PYSEC-1"}]}, {}]}

    with a_database(answer) as url:
        monkeypatch.setenv("OSV_URL", url)
        assert audit.main([lock]) == 1
        assert "pkg:pypi/celery@5.6.0: PYSEC-1\n" in capsys.readouterr().out
        monkeypatch.setattr(audit, "ACCEPTED", {"PYSEC-1": "a test"})
        assert audit.main([lock]) == 0
    assert asked[0] == ["pkg:pypi/celery@5.6.0", "pkg:pypi/re-dis@7.0"]


@pytest.mark.parametrize("answer", [{}, {"results": []}, [], None])
def test_an_answer_that_says_nothing_is_no_finding(
    answer: Any, lock: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with a_database(lambda _: answer) as url:
        monkeypatch.setenv("OSV_URL", url)
        assert audit.main([lock]) == 0
    assert capsys.readouterr().out.startswith("Dependency audit skipped: ")


def test_where_nothing_can_be_asked_one_line_says_so(
    lock: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OSV_URL", f"http://127.0.0.1:{find_free_port()}")
    assert audit.main([lock]) == 0
    assert capsys.readouterr().out.count("\n") == 1
