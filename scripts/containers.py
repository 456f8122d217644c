"""Containers on this machine alone: podman with a storage of its own, and images made from Debian's packages.

Used by scripts/container-check. No image is pulled: the base is made by debootstrap from the mirror that apt uses, and
what stands in for public images is described in tests/package/containers/. The package index for builds is the one
that pip on this machine is configured for.
"""

import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Generator
from configparser import ConfigParser
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from clean_room import ROOT, Failed, run

STAND_INS = ROOT / "tests" / "package" / "containers"
DEBIAN = "tessella-check/debian"
SUITE = "trixie"
PODMAN = "podman"
NEEDED = ("podman", "runc", "debootstrap", "iptables")
IMAGES = {"postgres": "postgres:17", "nats": "nats:2", "haproxy": "haproxy:3.0"}
"""What stands in for the images of compose.yaml, by the names that it uses; only this storage knows them so."""

ENGINE = """\
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
network_config_dir = "{0}/networks"
"""
STORAGE = """\
[storage]
driver = "{1}"
graphroot = "{0}/graph"
runroot = "{0}/run"
"""
HEALTH_SECONDS = 2.0
OF_THE_INDEX = (
    "index-url",
    "extra-index-url",
    "find-links",
    "cert",
    "client-cert",
    "trusted-host",
    "proxy",
    "default-timeout",
)
"""The settings of pip that say where packages come from."""


def missing() -> list[str]:
    """The programs that are needed and not installed."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    return [name for name in NEEDED if shutil.which(name, path=path) is None]


class Podman:
    """Podman with images, networks and settings of its own below a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "containers.conf").write_text(ENGINE.format(folder))
        (folder / "storage.conf").write_text(STORAGE.format(folder, os.environ.get("STORAGE_DRIVER", "overlay")))
        ours = {"CONTAINERS_CONF": folder / "containers.conf", "CONTAINERS_STORAGE_CONF": folder / "storage.conf"}
        self.folder = folder
        self.variables = os.environ | {name: str(path) for name, path in ours.items()} | {"DISABLE_HC_SYSTEMD": "true"}

    def __call__(self, *arguments: str) -> str:
        """Run podman and return what it printed."""
        return run([PODMAN, *arguments], env=self.variables).strip()

    def has(self, image: str) -> bool:
        """Whether an image is here."""
        return bool(self("images", "--quiet", image))

    def bytes(self, image: str) -> int:
        """The size of an image."""
        return int(json.loads(self("image", "inspect", image))[0]["Size"])

    def build(self, image: str, *arguments: str, context: Path) -> None:
        """Build an image; packages come from where pip and npm on this machine take them."""
        how = ("--pull=never", "--isolation", "chroot", "--network", "host", "--format", "docker", "--quiet")
        with index() as settings:
            self("build", *how, *settings, "--tag", image, *arguments, str(context))

    def make_base(self) -> None:
        """Make the base of all images, unless it is here."""
        if self.has(DEBIAN):
            return
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "root"
            run(["debootstrap", "--variant=minbase", "--include=ca-certificates", SUITE, str(root), mirror()])
            for leave in (
                "var/cache/apt/archives",
                "var/lib/apt/lists",
                "usr/share/doc",
                "usr/share/man",
                "usr/share/locale",
            ):
                shutil.rmtree(root / leave, ignore_errors=True)
            # nothing in an image outlives the machine: what is written need not be on the disk before the next file
            (root / "etc" / "dpkg" / "dpkg.cfg.d" / "quick").write_text("force-unsafe-io\n")
            run(["tar", "--create", "--file", f"{folder}/root.tar", "--directory", str(root), "."])
            self("import", "--quiet", f"{folder}/root.tar", DEBIAN)

    def make_stand_in(self, name: str) -> None:
        """Make what stands in for a public image, unless it is here."""
        image = IMAGES.get(name, f"tessella-check/{name}")
        if not self.has(image):
            self.build(image, "--file", str(STAND_INS / f"{name}.Dockerfile"), context=STAND_INS)

    @contextmanager
    def checking_health(self) -> Generator[None]:
        """Run the health checks of all containers, as systemd does where it runs."""
        over = threading.Event()
        thread = threading.Thread(target=self._check_health, args=(over,))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _check_health(self, over: threading.Event) -> None:
        while not over.wait(HEALTH_SECONDS):
            for container in self.attempt("ps", "--quiet").stdout.split():
                self.attempt("healthcheck", "run", container)

    def attempt(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run podman, which may fail."""
        command = [PODMAN, *arguments]
        return subprocess.run(command, env=self.variables, capture_output=True, text=True, check=False, timeout=120)


def mirror() -> str:
    """The mirror of Debian that apt uses."""
    sites = run(["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages"]).split()
    found = [site for site in sites if urlsplit(site).path.rstrip("/").endswith("debian")]
    if not found:
        raise Failed("apt knows no mirror of Debian")
    return found[0]


@contextmanager
def index() -> Generator[list[str]]:
    """Options for podman that give a container the package index, certificates and folders that pip here uses."""
    said = dict(_setting(line) for line in run(["pip", "config", "list"]).splitlines())
    settings = {name: value for name, value in said.items() if name in OF_THE_INDEX}
    named = [word.removeprefix("file://") for value in settings.values() for word in value.split()]
    mounts = {path: path for word in named if word.startswith("/") and (path := _shared(Path(word))).exists()}
    mounts |= {path: Path("/root/.npmrc") for path in (Path.home() / ".npmrc",) if path.exists()}
    with tempfile.TemporaryDirectory() as folder:
        written = ConfigParser(interpolation=None)
        written["global"] = settings
        with (Path(folder) / "pip.conf").open("w") as file:
            written.write(file)
        mounts |= {Path(folder) / "pip.conf": Path("/etc/pip.conf")}
        yield [option for here, there in mounts.items() for option in ("--volume", f"{here}:{there}:ro")]


def _setting(line: str) -> tuple[str, str]:
    """The name of a setting of pip, without its section, and its value."""
    name, _, value = line.partition("=")
    return name.rpartition(".")[2], value.strip("'\"")


def _shared(path: Path) -> Path:
    """A file, or the folder at the top that an index lies in: its pages lead to files beside it."""
    return path if path.is_file() else Path(*path.parts[:3])
