#!/usr/bin/env python3
"""Makes .venv with the packages of the requirements, then runs the Python in it.

    bootstrap.py [--dev] ARGUMENTS...      runs `.venv/bin/python ARGUMENTS...`

Needs nothing but Python. Python versions down to 2.7 must be able to read this file, since it tells
their users that their Python is too old.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
VENV_PYTHON = os.path.join(VENV, "bin", "python")
OLDEST = (3, 11)
PIP = "requirements-pip.lock"


def main(arguments):
    """Prepare .venv and exec its Python. Raises SystemExit on failure; never returns."""
    if sys.version_info < OLDEST:
        sys.exit(
            "Python {}.{} or newer is needed; {} is Python {}. Name another one, as in: "
            "make run PYTHON=python3.12".format(
                OLDEST[0], OLDEST[1], sys.executable, platform.python_version()
            )
        )
    os.chdir(ROOT)
    names = ["requirements.lock"]
    if arguments[:1] == ["--dev"]:
        arguments = arguments[1:]
        names.append("requirements-dev.lock")
    with_lock(install_requirements, names)
    os.execv(VENV_PYTHON, [VENV_PYTHON] + arguments)


def with_lock(action, names):
    """Call `action(names)` while holding a lock file. A second command started meanwhile waits."""
    descriptor = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        action(names)
    finally:
        os.close(descriptor)


def install_requirements(names):
    """Install the packages of these requirements files into .venv, unless it has them."""
    if read_text(os.path.join(VENV, names[-1] + ".stamp")) == fingerprint(names):
        return
    print_line("Preparing .venv from {} (once; it takes a minute) ...".format(names[-1]))
    if not has_working_pip() or read_text(os.path.join(VENV, "python.stamp")) != sys.version:
        make_venv()
    pip = [VENV_PYTHON, "-m", "pip", "install", "--quiet", "--no-input"]
    pip += ["--disable-pip-version-check", "--only-binary", ":all:"]
    pip += ["--require-hashes"]
    subprocess.run(pip + ["-r", PIP], stdin=subprocess.DEVNULL)  # if it fails, the old one works
    if len(names) > 1:  # checks import few of the packages, and Python compiles those then
        pip += ["--no-compile", "--no-deps"]  # the file names what they need
    run_or_exit(
        pip + ["-r", names[-1]], "Could not install {}; pip says why above.".format(names[-1])
    )
    for number, name in enumerate(names):
        write_text(os.path.join(VENV, name + ".stamp"), fingerprint(names[: number + 1]))


def fingerprint(names):
    """Return a hash that changes when a requirements file or the Python changes."""
    digest = hashlib.sha256(sys.version.encode())
    for name in names:
        digest.update(read_text(os.path.join(ROOT, name)).encode())
    return digest.hexdigest()


def has_working_pip():
    """Return whether .venv has a Python that starts, with pip."""
    try:
        answer = subprocess.run([VENV_PYTHON, "-m", "pip", "--version"], stdout=subprocess.DEVNULL)
    except OSError:
        return False
    return answer.returncode == 0


def make_venv():
    """Make a new .venv. Debian has the module `ensurepip` in a package of its own."""
    import importlib.util  # here, because Python 2 lacks it and must reach main()

    if importlib.util.find_spec("ensurepip") is None:
        advice = "sudo apt-get install python3-venv"
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            sys.exit(
                "This Python cannot make virtual environments. Install what is missing: " + advice
            )
        apt = ["apt-get", "-qq", "-y"]
        failure = "Could not install python3-venv; apt-get says why above."
        run_or_exit(apt + ["update"], failure)
        run_or_exit(apt + ["install", "--no-install-recommends", "python3-venv"], failure)
    run_or_exit([sys.executable, "-m", "venv", "--clear", VENV], "Could not make .venv.")
    write_text(os.path.join(VENV, "python.stamp"), sys.version)


def run_or_exit(command, failure):
    """Run the command. If it fails, exit with the message `failure`."""
    try:
        code = subprocess.run(command, stdin=subprocess.DEVNULL).returncode
    except OSError:
        code = 1
    if code != 0:
        sys.exit(failure)


def print_line(line):
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def read_text(path):
    """Return the text of the file, '' if there is no such file."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def write_text(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
