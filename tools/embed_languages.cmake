# Writes a C++ source that defines weir::frontend::languages(): the texts of the files FILES (separated by `,`), each with its name and
# syntax. Run with -DFILES= -DOUTPUT=. It uses only CMake, as embed_file.cmake does.
set(arrays "")
set(entries "")
string(REPLACE "," ";" files "${FILES}")
set(number 0)
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  get_filename_component(extension "${file}" LAST_EXT)
  set(syntax kEbnf)
  if(extension STREQUAL ".lark")
    set(syntax kLark)
  endif()
  file(READ "${file}" hex HEX)
  file(SIZE "${file}" size)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REPEAT "0x..," 24 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  string(APPEND arrays "const unsigned char text_${number}[] = {\n${bytes}\n};\n")
  string(APPEND entries "    {\"${name}\", GrammarSyntax::${syntax}, {reinterpret_cast<const char*>(text_${number}), ${size}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}"
     "// Generated from data/languages by tools/embed_languages.cmake.\n"
     "#include \"frontend/languages/language.h\"\n"
     "#include <vector>\n"
     "namespace weir::frontend {\n"
     "namespace {\n${arrays}}  // namespace\n"
     "std::span<const Language> languages() {\n"
     "  static const std::vector<Language> all{\n${entries}  };\n"
     "  return all;\n"
     "}\n"
     "}  // namespace weir::frontend\n")
