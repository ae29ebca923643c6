// Names the parts of a structural tag as its author knows them: tools, tags and formats. The rules of its grammar have names
// that nobody wrote.
#ifndef WEIR_APPS_WEIR_EXPLAIN_TAG_H_
#define WEIR_APPS_WEIR_EXPLAIN_TAG_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_value.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::cli {

class TagParts {
 public:
  /// `text` is a structural tag or a response format, which has been read. It must outlive the object.
  TagParts(std::string_view text, const Limits& limits);

  struct Part {
    std::string name;     ///< "tool `f`", "tag `<think>`", "`json_schema`".
    std::string pointer;  ///< Of the tool in `tools`, or of the format in the tag.
    SourceRange where;    ///< In the tag.
  };
  /// Returns the parts whose text contains the range, the innermost first. The whole text is not a part.
  [[nodiscard]] std::vector<Part> at(SourceRange where) const;

 private:
  std::optional<base::JsonDocument> document_;
};

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_EXPLAIN_TAG_H_
