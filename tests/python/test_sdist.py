"""The source distribution has everything that building needs, and little else."""

import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("scikit_build_core")
nanobind = pytest.importorskip("nanobind")

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = "import sys; from scikit_build_core.build import build_sdist; print(build_sdist(sys.argv[1]))"


def test_what_is_in_it(tmp_path):
    subprocess.run([sys.executable, "-c", BUILD, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    (archive,) = tmp_path.glob("weir-*.tar.gz")
    assert archive.stat().st_size < 3_000_000
    subprocess.run(["tar", "-xf", str(archive), "-C", str(tmp_path)], check=True)
    tree = tmp_path / archive.name.removesuffix(".tar.gz")
    needed = [ROOT / name for name in ("CMakeLists.txt", "VERSION", "LICENSE", "README.md", "pyproject.toml")]
    for top in ("src", "include", "python", "cmake", "data/default_tokenizer"):
        needed += [path for path in (ROOT / top).rglob("*") if path.is_file() and path.suffix != ".pyc"]
    missing = [str(path.relative_to(ROOT)) for path in needed if not (tree / path.relative_to(ROOT)).is_file()]
    assert not missing
    configure = ["cmake", "-S", str(tree / "python"), "-B", str(tmp_path / "build"),
                 f"-Dnanobind_DIR={nanobind.cmake_dir()}", f"-DPython_EXECUTABLE={sys.executable}"]
    configured = subprocess.run(configure, capture_output=True, text=True, check=False)
    assert configured.returncode == 0, configured.stderr
