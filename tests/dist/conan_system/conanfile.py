"""Debian's pcre2 and tl-expected as Conan packages with the names and targets that ConanCenter's have:
`conan create tests/dist/conan_system --name pcre2 --version 10.42`. The recipe of weir is tried with them, since ConanCenter may
be out of reach."""

from conan import ConanFile


class System(ConanFile):
    def package_info(self):
        info = self.cpp_info
        if self.name == "pcre2":
            info = self.cpp_info.components["pcre2-8"]
            info.set_property("pkg_config_name", "libpcre2-8")
            info.system_libs = ["pcre2-8"]
        else:
            info.set_property("cmake_file_name", "tl-expected")
            info.set_property("cmake_target_name", "tl::expected")
        info.includedirs = info.libdirs = info.bindirs = []  # the compiler looks where Debian's are
