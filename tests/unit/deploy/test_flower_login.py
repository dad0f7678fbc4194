"""Every page of Flower asks for the login, also the two that Flower itself serves to anyone."""

import base64
import runpy
from pathlib import Path
from types import SimpleNamespace

from flower.urls import handlers
from tornado.testing import AsyncHTTPTestCase
from tornado.web import Application

CONFIG = Path(__file__).parents[3] / "deploy" / "flower" / "flowerconfig.py"
LOGIN = "slowwave:word"


class TestFlowerLogin(AsyncHTTPTestCase):
    """Serves the two pages as Flower does, with a login and this installation's configuration."""

    def get_app(self) -> Application:
        runpy.run_path(str(CONFIG))
        pages = [one for one in handlers if isinstance(one, tuple) and one[0] in {"/metrics", "/healthcheck"}]
        assert len(pages) == 2
        app = Application(pages)
        vars(app).update(
            options=SimpleNamespace(basic_auth=[LOGIN], auth=""), purge_offline_worker_metrics=lambda: None
        )
        return app

    def test_metrics_and_healthcheck_need_the_login(self) -> None:
        for page in ("/metrics", "/healthcheck"):
            token = base64.b64encode(LOGIN.encode()).decode()
            assert self.fetch(page).code == 401
            assert self.fetch(page, headers={"Authorization": f"Basic {token}"}).code == 200
