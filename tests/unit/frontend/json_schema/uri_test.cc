#include "frontend/json_schema/source/uri.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace weir::frontend::json_schema {
namespace {

std::string resolve(std::string_view base, std::string_view reference) {
  return to_string(resolve_uri(parse_uri(base), parse_uri(reference)));
}

// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
TEST(Uri, ExamplesOfTheRfc) {
  const std::vector<std::pair<const char*, const char*>> cases = {{"g:h", "g:h"},
                                                                  {"g", "http://a/b/c/g"},
                                                                  {"./g", "http://a/b/c/g"},
                                                                  {"g/", "http://a/b/c/g/"},
                                                                  {"/g", "http://a/g"},
                                                                  {"//g", "http://g"},
                                                                  {"?y", "http://a/b/c/d;p?y"},
                                                                  {"g?y", "http://a/b/c/g?y"},
                                                                  {"#s", "http://a/b/c/d;p?q#s"},
                                                                  {"g#s", "http://a/b/c/g#s"},
                                                                  {"g?y#s", "http://a/b/c/g?y#s"},
                                                                  {";x", "http://a/b/c/;x"},
                                                                  {"g;x", "http://a/b/c/g;x"},
                                                                  {"g;x?y#s", "http://a/b/c/g;x?y#s"},
                                                                  {"", "http://a/b/c/d;p?q"},
                                                                  {".", "http://a/b/c/"},
                                                                  {"./", "http://a/b/c/"},
                                                                  {"..", "http://a/b/"},
                                                                  {"../", "http://a/b/"},
                                                                  {"../g", "http://a/b/g"},
                                                                  {"../..", "http://a/"},
                                                                  {"../../", "http://a/"},
                                                                  {"../../g", "http://a/g"},
                                                                  {"../../../g", "http://a/g"},
                                                                  {"../../../../g", "http://a/g"},
                                                                  {"/./g", "http://a/g"},
                                                                  {"/../g", "http://a/g"},
                                                                  {"g.", "http://a/b/c/g."},
                                                                  {".g", "http://a/b/c/.g"},
                                                                  {"g..", "http://a/b/c/g.."},
                                                                  {"..g", "http://a/b/c/..g"},
                                                                  {"./../g", "http://a/b/g"},
                                                                  {"./g/.", "http://a/b/c/g/"},
                                                                  {"g/./h", "http://a/b/c/g/h"},
                                                                  {"g/../h", "http://a/b/c/h"},
                                                                  {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
                                                                  {"g;x=1/../y", "http://a/b/c/y"},
                                                                  {"g?y/./x", "http://a/b/c/g?y/./x"},
                                                                  {"g?y/../x", "http://a/b/c/g?y/../x"},
                                                                  {"g#s/./x", "http://a/b/c/g#s/./x"},
                                                                  {"g#s/../x", "http://a/b/c/g#s/../x"},
                                                                  {"http:g", "http:g"}};
  for (const auto& [reference, expected] : cases) {
    EXPECT_EQ(resolve("http://a/b/c/d;p?q", reference), expected) << reference;
  }
}

TEST(Uri, BasesOfOtherShapes) {
  EXPECT_EQ(resolve("", "item.json#a"), "item.json#a");
  EXPECT_EQ(resolve("", "#a"), "#a");
  EXPECT_EQ(resolve("dir/schema.json", "item.json"), "dir/item.json");
  EXPECT_EQ(resolve("http://example.com", "x/y"), "http://example.com/x/y");
  EXPECT_EQ(resolve("urn:uuid:deadbeef-1234", "#/$defs/a"), "urn:uuid:deadbeef-1234#/$defs/a");
  EXPECT_EQ(resolve("http://a/b", "urn:x:y"), "urn:x:y");
  EXPECT_EQ(resolve("file:///tmp/a/b.json", "../c.json"), "file:///tmp/c.json");
  EXPECT_EQ(resolve("http://a/b#frag", ""), "http://a/b");
}

TEST(Uri, PartsAndBack) {
  for (const char* text :
       {"", "#", "?", "a:b", "http://u@h:1/p?q?#f#", "//h", "1a:b", "urn:a:b?=c", "/a//b", "a/b:c", "x:?#"}) {
    EXPECT_EQ(to_string(parse_uri(text)), text);
  }
  EXPECT_EQ(parse_uri("1a:b").scheme, std::nullopt);
  EXPECT_EQ(parse_uri("x#").fragment, "");
  EXPECT_EQ(parse_uri("x").fragment, std::nullopt);
}

}  // namespace
}  // namespace weir::frontend::json_schema
