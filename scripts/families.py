"""What the scripts that write families of models share: writing them, and having all verified.

The names of models end in their verdicts, `_safe` or `_unsafe`.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Limits of one verification, in seconds and megabytes.
LIMITS = ["--timeout", "300", "--memory", "4096"]


def decide(path, bundle, options):
    """The verdict on a model, and whether both solvers accept its bundle."""
    programs = ROOT / "target" / "release"
    verify = [programs / "slabcert", "verify", path, "--out", bundle] + LIMITS + options
    finished = subprocess.run(verify, capture_output=True, text=True, check=False)
    verdict = {0: "safe", 40: "unsafe", 30: "unknown"}.get(finished.returncode)
    if verdict is None:
        return (finished.stderr.strip() or "no verdict").splitlines()[0], True
    if verdict == "unknown":
        return verdict, True
    solvers = [[programs / "slabcert-check", bundle, "--solver", solver] for solver in ["z3", "cvc5"]]
    return verdict, all(subprocess.run(it, capture_output=True, check=False).returncode == 0 for it in solvers)


def verify_all(paths, options):
    """Verifies models; the exit status."""
    wrong, undecided = [], 0
    for path in paths:
        expected = path.stem.rsplit("_", 1)[1]
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            verdict, accepted = decide(path, Path(folder) / "model.cert", options)
        refusal = "" if accepted else "  NOT ACCEPTED"
        print(f"{path.stem:32} {verdict:8} {time.monotonic() - started:6.1f} s{refusal}", flush=True)
        undecided += verdict == "unknown"
        if verdict not in ("unknown", expected) or not accepted:
            wrong.append(path.stem)
    print(f"{len(paths)} models, {undecided} undecided, {len(wrong)} wrong: {', '.join(wrong)}")
    return 1 if wrong else 0


def main(what, extension, models, options):
    """The command line of a script that writes models, given as pairs of a name and a text; `options` are those of a verification."""
    default = ROOT / "target" / Path(sys.argv[0]).name
    parser = argparse.ArgumentParser(description=f"Writes families of {what}, safe and unsafe.")
    parser.add_argument("folder", nargs="?", type=Path, default=default, help="where they go")
    parser.add_argument("--verify", action="store_true", help="verifies each, and has its bundle checked")
    parser.add_argument("--only", default="", metavar="WORD", help="those whose names begin so")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in models:
        if name.startswith(arguments.only):
            paths.append(arguments.folder / f"{name}.{extension}")
            paths[-1].write_text(text, encoding="utf-8")
    if arguments.verify:
        sys.exit(verify_all(paths, options))
