// Arguments whose objects and lists are tags within tags, as Cohere's Command and MiniMax-M3 write them.
#ifndef WEIR_SRC_REPLIES_TAG_VALUES_H_
#define WEIR_SRC_REPLIES_TAG_VALUES_H_

#include <string>
#include <string_view>

#include "replies/form.h"
#include "replies/tool_schemas.h"

namespace weir::replies {

/// Returns the JSON object that the arguments are; empty if they are not of the form. `rest`: what they may be.
std::string tags_as_json(Form::Arguments form, std::string_view text, ToolSchemas& schemas, RootedSchema place,
                         const Rest& rest);

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_TAG_VALUES_H_
