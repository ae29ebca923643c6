// Reads the response template of a tokenizer (transformers, version 1) as a style of tools.
//
// WHAT   A response template says where the parts of a reply begin and end, and how the text of each is read. The same facts
//        about the calls of a model are an entry of tool_styles.h, from which a tag and a reader are made. So a template
//        becomes such an entry, and has all that styles have.
// HOW    The beginnings and ends, literal or patterns (template_pattern.h), are compared with those of the known
//        styles. If a style writes what the template reads, it is that style, which says more about what the model
//        writes: texts that the template skips, ids. Otherwise the entry is made of the template's texts. In both cases
//        the texts around reasoning and the answer are the template's.
// LIMITS docs/transformers.md has the rules. What a style cannot say is an error at its place in the template.
#ifndef WEIR_SRC_FRONTEND_TOOLS_RESPONSE_TEMPLATE_H_
#define WEIR_SRC_FRONTEND_TOOLS_RESPONSE_TEMPLATE_H_

#include <memory>
#include <string_view>

#include "frontend/tools/tool_styles.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::tools {

/// A style by its name, or of a template.
struct FoundStyle {
  const ToolStyle* style = nullptr;        ///< Null: harmony, which works differently.
  std::shared_ptr<const void> owner = {};  ///< Keeps a template's `style`, and what it refers to.
  bool is_template = false;
};

/// Returns the style that `style` names, or describes: the JSON text of a response template, or of an object with a member
/// `response_template`.
/// Errors   kInvalidArgument: no style has this name; the template is none of version 1. kUnsupported: a style cannot say
///          what the template says. kSyntax: it is not JSON, or a pattern is none. Error::where is a range of `style`,
///          which is Error::text.
Result<FoundStyle> find_style(std::string_view style, const Limits& limits);

}  // namespace weir::frontend::tools

#endif  // WEIR_SRC_FRONTEND_TOOLS_RESPONSE_TEMPLATE_H_
