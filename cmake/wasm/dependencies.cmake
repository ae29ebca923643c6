# The library's dependencies, for WebAssembly. tl::expected is a header that serves every machine; a link to its folder is
# used, because the target of Debian's package adds all of /usr/include.
set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
find_path(parent_tl NAMES tl PATHS /usr/include REQUIRED NO_CMAKE_FIND_ROOT_PATH)
file(CREATE_LINK ${parent_tl}/tl ${headers}/tl SYMBOLIC)
foreach(target tl::expected Threads::Threads)
  add_library(${target} INTERFACE IMPORTED)
endforeach()
target_include_directories(tl::expected INTERFACE ${headers})
include(cmake/pcre2.cmake)
