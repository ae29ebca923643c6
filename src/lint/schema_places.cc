#include "lint/schema_places.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "base/json/json_text.h"
#include "frontend/json_schema/model/schema_meaning.h"
#include "frontend/json_schema/rules/yaml_reader.h"
#include "frontend/json_schema/source/documents.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/schema_store.h"

namespace weir::frontend::json_schema {

namespace {

using base::JsonPlace;

// A member's name, or an item's index.
struct Step {
  bool is_index = false;
  std::string key = {};
  std::uint64_t index = 0;
};

// Tracks the open values of a prefix of a JSON text. Precondition: it is one; syntax is not checked.
class OpenValues {
 public:
  explicit OpenValues(std::string_view text) {
    for (const char byte : text) {
      const JsonPlace where = std::exchange(where_, base::place_after(where_, byte));
      if (where == JsonPlace::kOutside) {
        read_outside(byte);
      } else if (where_ == JsonPlace::kOutside) {
        end_string();
      } else {
        string_.push_back(byte);
      }
    }
  }

  /// Returns the number of arrays and objects that have begun.
  [[nodiscard]] std::size_t containers() const { return open_.size(); }

  /// Returns the steps to the value that `next` belongs to.
  [[nodiscard]] std::vector<Step> path(char next) const {
    std::vector<Step> steps;
    for (const Container& one : open_) steps.push_back(one.step);
    // A closing bracket or comma ends a number, and belongs to the container around it.
    const bool ends_value = std::string_view(",]}").find(next) != std::string_view::npos;
    const bool is_in_value =
        !open_.empty() && open_.back().is_at_value && (where_ != JsonPlace::kOutside || !ends_value);
    if (!open_.empty() && !is_in_value) steps.pop_back();
    return steps;
  }

 private:
  struct Container {
    bool is_array = false;
    bool is_at_value = false;  // a value may begin here, or is in progress
    Step step = {};
  };

  void read_outside(char byte) {
    switch (byte) {
      case '{': open_.push_back({false, false, {}}); break;
      case '[': open_.push_back({true, true, {true, {}, 0}}); break;
      case '}':
      case ']':
        if (!open_.empty()) open_.pop_back();
        if (!open_.empty()) open_.back().is_at_value = false;
        break;
      case ':':
        if (!open_.empty()) open_.back().is_at_value = true;
        break;
      case ',':
        if (open_.empty()) break;
        open_.back().is_at_value = open_.back().is_array;
        if (open_.back().is_array) ++open_.back().step.index;
        break;
      default: break;
    }
  }

  void end_string() {
    if (!open_.empty() && !open_.back().is_array && !open_.back().is_at_value) {
      open_.back().step.key.clear();
      base::append_json_string(string_, open_.back().step.key);
    } else if (!open_.empty()) {
      open_.back().is_at_value = false;
    }
    string_.clear();
  }

  std::vector<Container> open_;
  JsonPlace where_ = JsonPlace::kOutside;
  std::string string_;  // what is written of the string in progress
};

class Places {
 public:
  Places(SchemaStore& store, const Limits& limits) : store_(store), limits_(limits), exprs_(limits.regex_nodes) {}

  std::vector<PlaceInText> run(SchemaId root, const std::vector<Step>& steps) {
    std::vector<PlaceInText> places;
    std::vector<SchemaPlace> here = in_place({{root, store_.enter(ScopeId::kEmpty, root)}});
    std::string pointer;
    places.push_back(place(pointer, here));
    for (const Step& step : steps) {
      std::vector<SchemaPlace> below;
      for (const SchemaPlace& at : here) {
        if (step.is_index) {
          add_items(at, step.index, below);
        } else {
          add_members(at, step.key, below);
        }
      }
      here = in_place(std::move(below));
      if (step.is_index) {
        append_to_pointer(pointer, step.index);
      } else {
        append_to_pointer(pointer, step.key);
      }
      places.push_back(place(pointer, here));
    }
    std::reverse(places.begin(), places.end());
    return places;
  }

 private:
  void add(const SchemaPlace& from, const JsonValue& value, std::vector<SchemaPlace>& out) {
    const Result<SchemaId> schema = store_.subschema(from.schema, value);
    if (schema) out.push_back({*schema, store_.enter(from.scope, *schema)});
  }

  /// Returns the schemas, each followed by those that it includes in place, without repetitions.
  std::vector<SchemaPlace> in_place(std::vector<SchemaPlace> schemas) {
    std::vector<SchemaPlace> out;
    std::set<SchemaPlace> seen;
    std::reverse(schemas.begin(), schemas.end());
    while (!schemas.empty()) {
      const SchemaPlace at = schemas.back();
      schemas.pop_back();
      if (!seen.insert(at).second) continue;
      out.push_back(at);
      std::vector<SchemaPlace> next;
      add_in_place(at, next);
      schemas.insert(schemas.end(), next.rbegin(), next.rend());
    }
    return out;
  }

  void add_in_place(const SchemaPlace& at, std::vector<SchemaPlace>& out) {
    for (const Keyword keyword : {Keyword::kRef, Keyword::kDynamicRef, Keyword::kRecursiveRef}) {
      if (store_.find(at.schema, keyword) == nullptr) continue;
      const auto target = store_.follow(at.schema, keyword, at.scope);
      if (target) out.push_back({target->schema, target->scope});
    }
    for (const Keyword keyword : {Keyword::kAllOf, Keyword::kAnyOf, Keyword::kOneOf}) {
      const JsonValue* list = store_.find(at.schema, keyword);
      if (list == nullptr) continue;
      for (const JsonValue& one : list->items()) add(at, one, out);
    }
    for (const Keyword keyword : {Keyword::kThen, Keyword::kElse}) {
      if (const JsonValue* value = store_.find(at.schema, keyword)) add(at, *value, out);
    }
    for (const Keyword keyword : {Keyword::kDependentSchemas, Keyword::kDependencies}) {
      const JsonValue* map = store_.find(at.schema, keyword);
      if (map == nullptr) continue;
      for (const JsonMember& member : map->members()) {
        if (!member.value.is(JsonType::kArray)) add(at, member.value, out);
      }
    }
  }

  void add_items(const SchemaPlace& at, std::uint64_t index, std::vector<SchemaPlace>& out) {
    const JsonValue* prefix = store_.find(at.schema, Keyword::kPrefixItems);
    const JsonValue* items = store_.find(at.schema, Keyword::kItems);
    if (items != nullptr && items->is(JsonType::kArray)) {
      prefix = items;
      items = store_.find(at.schema, Keyword::kAdditionalItems);
    }
    if (prefix != nullptr && index < prefix->items().size()) {
      add(at, prefix->items()[index], out);
    } else if (items != nullptr) {
      add(at, *items, out);
    } else if (const JsonValue* rest = store_.find(at.schema, Keyword::kUnevaluatedItems)) {
      add(at, *rest, out);
    }
  }

  void add_members(const SchemaPlace& at, const std::string& key, std::vector<SchemaPlace>& out) {
    const std::size_t before = out.size();
    if (const JsonValue* properties = store_.find(at.schema, Keyword::kProperties)) {
      if (const JsonValue* own = properties->find(key)) add(at, *own, out);
    }
    if (const JsonValue* patterns = store_.find(at.schema, Keyword::kPatternProperties)) {
      for (const JsonMember& member : patterns->members()) {
        const Result<regex::ExprId> language = pattern_language(exprs_, member.key, limits_);
        if (language && exprs_.matches(*language, key)) add(at, member.value, out);
      }
    }
    for (const Keyword keyword : {Keyword::kAdditionalProperties, Keyword::kUnevaluatedProperties}) {
      const JsonValue* others = store_.find(at.schema, keyword);
      if (others != nullptr && out.size() == before) add(at, *others, out);
    }
  }

  PlaceInText place(const std::string& pointer, const std::vector<SchemaPlace>& schemas) {
    PlaceInText out{pointer};
    std::set<SchemaId> seen;  // a schema may come in several scopes
    for (const SchemaPlace& at : schemas) {
      if (seen.insert(at.schema).second) out.schemas.push_back(describe(at.schema));
    }
    return out;
  }

  SchemaOfPlace describe(SchemaId schema) {
    const ErrorNote note = store_.note(schema, std::nullopt);
    SchemaOfPlace out{note.location, {}, note.where};
    if (const JsonValue* type = store_.find(schema, Keyword::kType)) {
      for (const JsonValue& one : type->is(JsonType::kArray) ? type->items() : std::span(type, 1)) {
        if (one.is(JsonType::kString)) out.types += (out.types.empty() ? "" : " or ") + std::string(one.string());
      }
    }
    if (note.where.end == note.where.start) return out;
    bool ignores_some = false;
    for (const JsonMember& member : store_.json(schema).members()) {
      const KeywordInfo* known = find_keyword(member.key);
      if (known == nullptr || !asserts(known->keyword)) continue;
      if (store_.find(schema, known->keyword) == nullptr) {
        ignores_some = true;
        continue;
      }
      out.assertions.push_back(
          {std::string(member.key), member.key_where, member.value.where(), role_of(known->keyword)});
    }
    if (ignores_some) {
      std::erase_if(out.assertions,
                    [](const auto& one) { return one.role == SchemaOfPlace::Assertion::Role::kReference; });
    }
    return out;
  }

  static SchemaOfPlace::Assertion::Role role_of(Keyword keyword) {
    using Role = SchemaOfPlace::Assertion::Role;
    if (is_reference(keyword)) return Role::kReference;
    switch (keyword) {
      case Keyword::kAllOf:
      case Keyword::kAnyOf:
      case Keyword::kOneOf:
      case Keyword::kIf:
      case Keyword::kThen:
      case Keyword::kElse: return Role::kInPlace;
      case Keyword::kPrefixItems:
      case Keyword::kProperties:
      case Keyword::kPatternProperties: return Role::kBelow;
      case Keyword::kItems:
      case Keyword::kAdditionalItems:
      case Keyword::kUnevaluatedItems:
      case Keyword::kAdditionalProperties:
      case Keyword::kUnevaluatedProperties: return Role::kRemaining;
      default: return Role::kOwn;
    }
  }

  SchemaStore& store_;
  const Limits& limits_;
  regex::ExprSet exprs_;
};

}  // namespace

Result<std::vector<PlaceInText>> places_in_text(std::string_view schema, const JsonSchemaOptions& options,
                                                const Limits& limits, std::string_view read, char next) {
  SchemaRegistry registry;
  if (auto done = add_documents(registry, options, limits, schema); !done)
    return tl::unexpected(std::move(done.error()));
  SchemaStore store(registry, limits);
  const Result<SchemaId> root = store.load(schema, load_options(options));
  if (!root) return tl::unexpected(root.error());
  const OpenValues values(read);
  const std::vector<Step> path = values.path(next);
  std::vector<PlaceInText> places = Places(store, limits).run(*root, path);
  places.front().is_open = path.size() < values.containers();
  return places;
}

std::string json_of_yaml(std::string_view document) { return YamlReader::json_of(document); }
std::string open_json_of_yaml(std::string_view beginning) { return YamlReader::open_json_of(beginning); }
std::optional<SourceRange> earlier_key_in_yaml(std::string_view beginning) {
  return YamlReader::earlier_key(beginning);
}

}  // namespace weir::frontend::json_schema
