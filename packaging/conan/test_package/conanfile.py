"""Builds the examples with the package, as a program that uses it would be built, and runs them."""

import pathlib
import re

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Examples(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        for program in ["example", "c_example"]:
            said = pathlib.Path(self.build_folder) / f"{program}.txt"
            self.run(f"{pathlib.Path(self.build_folder, self.cpp.build.bindir, program)} 7 > {said}", env="conanrun")
            assert re.fullmatch(r"(hello|good (morning|evening)), [A-Z][a-z]{2,7}!\n?", said.read_text(encoding="utf-8"))
