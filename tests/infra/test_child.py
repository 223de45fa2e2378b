"""A child process lives independently of the thread that started it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from mahjong_site.supervisor.child import Child


def test_child_outlives_the_thread_that_started_it() -> None:
    child = Child("sleeper", ["sleep", "60"], env={}, cwd=Path("/"))
    asking = threading.Thread(target=child.start)
    asking.start()
    asking.join()
    time.sleep(0.2)
    assert child.is_running, child.ending
    child.kill()
    assert child.ending == "signal SIGKILL"
