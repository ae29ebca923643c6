"""Debian's pcre2 and tl-expected as Conan packages with the names and targets that ConanCenter's have:
`conan create tests/dist/conan_system --name pcre2 --version 10.42`. The recipe of weir is tried with them, since ConanCenter may
be out of reach."""

from conan import ConanFile


class System(ConanFile):
    def package_info(self):
        self.cpp_info.includedirs = self.cpp_info.libdirs = self.cpp_info.bindirs = []
        if self.name == "pcre2":
            self.cpp_info.components["pcre2-8"].set_property("pkg_config_name", "libpcre2-8")
            self.cpp_info.components["pcre2-8"].system_libs = ["pcre2-8"]
        else:
            self.cpp_info.set_property("cmake_file_name", "tl-expected")
            self.cpp_info.set_property("cmake_target_name", "tl::expected")
