"""A recipe for Conan 2, of the sources that it lies in: `conan create packaging/conan`.

The library's two dependencies have ConanCenter's names.
"""

import pathlib

from conan import ConanFile
from conan.tools.build import check_min_cppstd, stdcpp_library
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rm, rmdir
from conan.tools.gnu import PkgConfigDeps


class Weir(ConanFile):
    name = "weir"
    description = "Grammar-constrained decoding: which tokens may come next, exactly"
    license = "MIT"
    topics = ("grammar", "json-schema", "constrained-decoding", "llm")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def _root(self):
        return pathlib.Path(self.recipe_folder).parents[1]

    def set_version(self):
        self.version = (self._root() / "VERSION").read_text(encoding="utf-8").strip()

    def export_sources(self):
        for pattern in ["CMakeLists.txt", "VERSION", "LICENSE", "cmake/*", "include/*", "src/*", "data/default_tokenizer/*", "data/languages/*",
                        "integrations/llama_cpp/*", "tools/embed_file.cmake", "tools/embed_languages.cmake"]:
            copy(self, pattern, self._root(), self.export_sources_folder)

    def requirements(self):
        self.requires("pcre2/[>=10.42 <11]")
        self.requires("tl-expected/[>=1.0]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ["COMMAND", "TESTS", "BENCH", "EXAMPLES"]:
            toolchain.cache_variables[f"WEIR_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="weir_library")

    def package(self):
        folder = pathlib.Path(self.package_folder)
        for licence, where in [("LICENSE", "."), ("unicode_license.txt", "src/regex")]:
            copy(self, licence, pathlib.Path(self.source_folder) / where, folder / "licenses")
        CMake(self).install()
        # Conan's generators write these for the programs that use the package; the folder of a header for llama.cpp stays.
        rmdir(self, folder / "lib" / "pkgconfig")
        rm(self, "*.cmake", folder / "lib" / "cmake" / "weir")

    def package_info(self):
        self.cpp_info.libs = ["weir"]
        self.cpp_info.set_property("cmake_file_name", "weir")
        self.cpp_info.set_property("cmake_target_name", "weir::weir")
        self.cpp_info.set_property("pkg_config_name", "weir")
        if self.settings.os == "Linux":
            self.cpp_info.system_libs = ["pthread"]
        if not self.options.shared and (standard := stdcpp_library(self)):  # for programs in C
            self.cpp_info.system_libs.append(standard)
