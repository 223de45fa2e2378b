"""The nginx of deploy/, run in front of web servers of a test."""

from __future__ import annotations

import os
import re
import signal
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from tests.kit.processes import free_port, wait_until
from tools import system

DEPLOY = Path(settings.BASE_DIR) / "deploy"
NGINX = os.environ.get("NGINX_PATH") or system.find_program(system.NGINX)
NEEDS_NGINX = pytest.mark.skipif(
    NGINX is None, reason="nginx is not here (Debian: nginx, or NGINX_PATH)"
)


def two_machines() -> str:
    """Return the upstreams for web servers on two machines."""
    return (DEPLOY / "nginx/two-machines.conf").read_text()


def certificate(directory: Path) -> tuple[Path, Path]:
    """Make a certificate for localhost, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    paths = directory / "fullchain.pem", directory / "privkey.pem"
    paths[0].write_bytes(made.public_bytes(pem))
    paths[1].write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


class Nginx:
    """The nginx of deploy/, on ports of its own, in front of web servers on these ports, with
    `page_ports` in front of table servers on `ports` and page servers on those.

    With `upstreams`, its blocks replace those of the site's file. `changes` are made last.
    """

    def __init__(
        self,
        directory: Path,
        ports: Sequence[int],
        upstreams: str = "",
        changes: Mapping[str, str] | None = None,
        page_ports: Sequence[int] = (),
    ) -> None:
        assert NGINX is not None
        self.port, self.plain_port = free_port(), free_port()
        chain, _ = certificate(directory)
        text = (DEPLOY / "nginx/mahjong.conf").read_text()
        if upstreams:
            text = upstreams + re.sub("^upstream .*?^}", "", text, flags=re.MULTILINE | re.DOTALL)

        def own_servers(found: re.Match[str]) -> str:
            to = (page_ports or ports) if found[1] == "mahjong" else ports
            return found[0][: found.start(2) - found.start()] + "".join(
                f"    server 127.0.0.1:{port}{found[3]}\n" for port in to
            )

        servers = r"^upstream (\w+) \{[^}]*?((?:^    server \S+:\d+(.*;)\n)+)"
        text = re.sub(servers, own_servers, text, flags=re.MULTILINE)
        text = re.sub(r"\n    listen \[::\]:.*", "", text)
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.plain_port};")
        text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl")
        text = re.sub("/etc/letsencrypt/live/[^/]*", str(directory), text)
        text = text.replace("mahjong.example.org", "localhost")
        for before, after in (changes or {}).items():
            assert before in text
            text = text.replace(before, after)
        self._config = directory / "nginx.conf"
        self.log = directory / "access.log"
        """For each request its method, its status, and the servers that nginx asked."""
        temporary = "".join(
            f"{kind}_temp_path {directory}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self._config.write_text(
            f"daemon off; pid {directory}/pid; error_log {directory}/error.log;\n"
            "events { worker_connections 4096; }\n"
            "http { log_format tried '$request_method $status $upstream_addr'; "
            f"access_log {self.log} tried; {temporary}\n{text} }}\n"
        )
        self._words = [NGINX, "-p", str(directory), "-c", str(self._config)]
        self._process: subprocess.Popen[bytes] | None = None
        self.trust = ssl.create_default_context(cafile=str(chain))

    def test(self) -> subprocess.CompletedProcess[str]:
        """Check the configuration with `nginx -t`."""
        return subprocess.run([*self._words, "-t"], capture_output=True, text=True, check=False)

    def start(self) -> None:
        self._process = subprocess.Popen(self._words, stderr=subprocess.DEVNULL)
        wait_until(lambda: self.get("/healthz") == 200, within_s=60, what="nginx answers")

    def get(self, path: str, data: bytes | None = None, **headers: str) -> int:
        """Return the status of the answer, 0 without one. With `data` the request is a POST."""
        request = Request(f"https://localhost:{self.port}{path}", data, headers)
        try:
            with urlopen(request, context=self.trust, timeout=60) as page:
                return int(page.status)
        except HTTPError as error:
            with error:
                return error.code
        except OSError:
            return 0

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.terminate()
                self._process.wait(5)
