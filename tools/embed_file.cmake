# Writes a C++ source with the bytes of a file: `extern const unsigned char NAME[]` and `extern const size_t NAME_size`
# in namespace weir::vocab. Run with -DINPUT= -DOUTPUT= -DNAME=. It uses only CMake, so that building does not need xxd.
file(READ "${INPUT}" hex HEX)
file(SIZE "${INPUT}" size)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
# Lines of 24 bytes: compilers and editors dislike a line of a megabyte.
string(REPEAT "0x..," 24 line)
string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
get_filename_component(name "${INPUT}" NAME)
file(WRITE "${OUTPUT}"
     "// Generated from ${name} by tools/embed_file.cmake.\n"
     "#include <cstddef>\n"
     "namespace weir::vocab {\n"
     "extern const unsigned char ${NAME}[];\n"
     "extern const std::size_t ${NAME}_size;\n"
     "const std::size_t ${NAME}_size = ${size};\n"
     "const unsigned char ${NAME}[] = {\n${bytes}\n};\n"
     "}  // namespace weir::vocab\n")
