#include "frontend/json_schema/schema_store.h"

#include <algorithm>
#include <utility>

#include "frontend/json_schema/json_pointer.h"
#include "frontend/json_schema/metaschemas.h"

namespace weir::frontend::json_schema {

namespace {

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

}  // namespace

SchemaStore::SchemaStore(const SchemaRegistry& registry, const Limits& limits) : registry_(registry), limits_(limits) {
  scopes_.intern({});  // ScopeId::kEmpty.
}

Result<SchemaId> SchemaStore::load(std::string_view text, const LoadOptions& options) {
  default_dialect_ = options.default_dialect;
  Result<JsonDocument> document = JsonDocument::parse(text, limits_);
  if (!document) return tl::unexpected(std::move(document.error()));
  for (const DuplicateKey& key : document->duplicate_keys()) {
    const std::string_view name =
        document->text().substr(key.overridden.start, key.overridden.end - key.overridden.start);
    warnings_.push_back({"a later member overrides the key " + quoted(name), key.overridden, {}, "duplicate-key"});
  }
  loaded_.push_back(std::move(*document));
  const JsonValue& root = loaded_.back().root();
  if (!root.is(JsonType::kObject) && !root.is(JsonType::kBoolean)) {
    return tl::unexpected(Error{ErrorCode::kInvalidArgument, "a schema is an object or a boolean", root.where()});
  }
  const Result<ResourceId> resource = add_document(loaded_.back(), options.base_uri);
  if (!resource) return tl::unexpected(resource.error());
  return at(*resource).root;
}

const JsonValue* SchemaStore::find(SchemaId schema, Keyword keyword) const {
  const Schema& at = schemas_[index(schema)];
  if (!at.keywords.contains(keyword) || (at.hides_siblings && keyword != Keyword::kRef)) return nullptr;
  const Resource& resource = resource_of(schema);
  const KeywordInfo& info = keyword_info(keyword, resource.dialect);
  return info.exists_in(resource.dialect, resource.vocabularies) ? at.json->find(info.name) : nullptr;
}

Result<SchemaId> SchemaStore::subschema(SchemaId parent, const JsonValue& value) const {
  const auto found = by_json_.find(&value);
  if (found != by_json_.end()) return found->second;
  const Resource& resource = resource_of(parent);
  const JsonValue& root = documents_[resource.document].json->root();
  return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                              "expected a schema, an object or a boolean, at " + quoted("#" + pointer_to(root, value)),
                              where(this->resource(parent), value.where())});
}

SourceRange SchemaStore::where(ResourceId resource, SourceRange range) const {
  return resources_[index_of(resource)].document == 0 ? range : document_of(resource).reference;
}

// ", at 2:3 there," of a document that is not the loaded one.
std::string SchemaStore::place_in_document(ResourceId resource, SourceRange range) const {
  if (resources_[index_of(resource)].document == 0) return {};
  const LineColumn at = line_column(document_of(resource).json->text(), range.start);
  return ", at " + std::to_string(at.line) + ":" + std::to_string(at.column) + " there,";
}

ScopeId SchemaStore::enter(ScopeId scope, SchemaId schema) {
  const Resource& resource = resource_of(schema);
  if (resource.dynamic_anchors.empty()) return scope;
  const std::uint64_t step =
      (std::uint64_t{static_cast<std::uint32_t>(scope)} << 32) | static_cast<std::uint32_t>(this->resource(schema));
  if (const auto known = entered_.find(step); known != entered_.end()) return known->second;
  std::map<std::uint32_t, std::uint32_t> targets;
  const std::span<const std::uint32_t> before = scopes_[static_cast<std::uint32_t>(scope)];
  for (std::size_t i = 0; i < before.size(); i += 2) targets.emplace(before[i], before[i + 1]);
  for (const auto& [name, target] : resource.dynamic_anchors) targets.emplace(name, static_cast<std::uint32_t>(target));
  std::vector<std::uint32_t> words;
  for (const auto& [name, target] : targets) {
    words.push_back(name);
    words.push_back(target);
  }
  const auto entered = ScopeId(scopes_.intern(words).first);
  entered_.emplace(step, entered);
  return entered;
}

Result<SchemaStore::Target> SchemaStore::follow(SchemaId schema, Keyword keyword, ScopeId scope) {
  const JsonValue& value = *find(schema, keyword);
  if (!value.is(JsonType::kString)) {
    return tl::unexpected(error(ErrorCode::kInvalidArgument, schema, keyword, "must be a string"));
  }
  const std::string_view reference = value.string();
  if (keyword == Keyword::kRecursiveRef && reference != "#") {
    return tl::unexpected(error(ErrorCode::kInvalidArgument, schema, keyword, "must be `#`"));
  }
  const Result<SchemaId> first = resolve(schema, keyword, reference);
  if (!first) return tl::unexpected(first.error());
  SchemaId target = *first;
  const Resource& resource = resource_of(target);

  // A reference to a dynamic anchor leads to the outermost schema of its name; one by another way stays.
  std::optional<std::uint32_t> anchor;
  if (keyword == Keyword::kRecursiveRef && resource.is_recursive) anchor = anchor_number("");
  if (keyword == Keyword::kDynamicRef) {
    const Result<std::string> fragment = percent_decode(parse_uri(reference).fragment.value_or(""));
    for (const auto& [name, dynamic] : resource.dynamic_anchors) {
      if (dynamic == target && fragment && anchor_number(*fragment) == name) anchor = name;
    }
  }
  if (anchor) {
    const std::span<const std::uint32_t> targets = scopes_[static_cast<std::uint32_t>(scope)];
    for (std::size_t i = 0; i < targets.size(); i += 2) {
      if (targets[i] == *anchor) target = SchemaId(targets[i + 1]);
    }
  }
  return Target{target, enter(scope, target)};
}

Result<SchemaId> SchemaStore::resolve(SchemaId from, Keyword keyword, std::string_view reference) {
  ResourceId resource = this->resource(from);
  std::string fragment;
  if (reference.starts_with('#')) {
    fragment = reference.substr(1);
  } else {
    const Uri uri = resolve_uri(at(resource).base, parse_uri(reference));
    const Result<ResourceId> found = find_resource(from, keyword, uri);
    if (!found) return tl::unexpected(found.error());
    resource = *found;
    fragment = uri.fragment.value_or("");
  }
  if (fragment.find('%') != std::string::npos) {
    Result<std::string> decoded = percent_decode(fragment);
    if (!decoded) return tl::unexpected(error(ErrorCode::kInvalidArgument, from, keyword, decoded.error().message));
    fragment = std::move(*decoded);
  }
  if (fragment.empty()) return at(resource).root;
  if (fragment.front() == '/') return find_at_pointer(from, keyword, resource, fragment);
  const auto anchor = at(resource).anchors.find(fragment);
  if (anchor != at(resource).anchors.end()) return anchor->second;
  return tl::unexpected(error(ErrorCode::kInvalidArgument, from, keyword,
                              "leads to the anchor " + quoted(fragment) + ", which does not exist"));
}

Result<ResourceId> SchemaStore::find_resource(SchemaId from, Keyword keyword, const Uri& uri) {
  Uri without_fragment = uri;
  without_fragment.fragment.reset();
  const std::string key = to_string(without_fragment);
  const Resource& base = resource_of(from);
  if (key == base.base_text) return this->resource(from);
  const Document& document = documents_[base.document];
  if (const auto own = document.resources.find(key); own != document.resources.end()) return own->second;
  if (const auto other = by_uri_.find(key); other != by_uri_.end()) return other->second;
  const JsonDocument* remote = registry_.find(key);
  if (remote == nullptr) remote = metaschema(key);
  if (remote == nullptr) {
    Error missing =
        error(ErrorCode::kInvalidArgument, from, keyword, "leads to " + quoted(key) + ", which is not known");
    missing.hint = "schemas are never fetched: add it to `documents`";
    return tl::unexpected(std::move(missing));
  }
  if (const auto known = by_json_.find(&remote->root()); known != by_json_.end()) {
    return this->resource(known->second);  // Under another of its URIs.
  }
  const SourceRange reference = where(this->resource(from), find(from, keyword)->where());
  const std::size_t next = documents_.size();
  const Result<ResourceId> added = add_document(*remote, key);
  if (next < documents_.size()) documents_[next].reference = reference;
  if (!added) {
    Error inner = added.error();
    inner.message = "in " + quoted(key) + ": " + inner.message;
    inner.where = reference;
    return tl::unexpected(std::move(inner));
  }
  by_uri_.emplace(key, *added);
  return added;
}

const JsonDocument* SchemaStore::metaschema(std::string_view uri) {
  const std::string text = metaschema_text(uri);
  if (text.empty()) return nullptr;
  Result<JsonDocument> document = JsonDocument::parse(text, Limits{});  // not the user's text, so not their limits
  if (!document) return nullptr;
  loaded_.push_back(std::move(*document));
  return &loaded_.back();
}

Result<SchemaId> SchemaStore::find_at_pointer(SchemaId from, Keyword keyword, ResourceId resource,
                                              std::string_view pointer) {
  const Result<std::vector<std::string>> tokens = parse_pointer(pointer);
  if (!tokens) return tl::unexpected(error(ErrorCode::kInvalidArgument, from, keyword, tokens.error().message));
  const JsonValue* value = &json(at(resource).root);
  // The way may pass through resources inside this one; the innermost gives the base.
  for (const std::string& token : *tokens) {
    value = step_pointer(*value, token);
    if (value == nullptr) {
      return tl::unexpected(error(ErrorCode::kInvalidArgument, from, keyword,
                                  "leads to " + quoted("#" + std::string(pointer)) + ", where nothing is"));
    }
    if (const auto known = by_json_.find(value); known != by_json_.end()) resource = this->resource(known->second);
  }
  if (by_json_.find(value) == by_json_.end()) {
    if (!value->is(JsonType::kObject) && !value->is(JsonType::kBoolean)) {
      return tl::unexpected(error(ErrorCode::kInvalidArgument, from, keyword,
                                  "leads to " + quoted("#" + std::string(pointer)) +
                                      ", which is no schema but of type " + std::string(to_string(value->type()))));
    }
    if (const Result<void> scanned = scan(*value, resource); !scanned) return tl::unexpected(scanned.error());
  }
  return by_json_.find(value)->second;
}

std::string SchemaStore::location(SchemaId schema) const {
  const Resource& resource = resource_of(schema);
  const JsonValue& root = documents_[resource.document].json->root();
  if (resource.document == 0) return "#" + pointer_to(root, json(schema));
  // The document's root comes first, so that its URI is that of the first resource of the document.
  for (const Resource& candidate : resources_) {
    if (candidate.document == resource.document) return candidate.base_text + "#" + pointer_to(root, json(schema));
  }
  return "";
}

ErrorNote SchemaStore::note(SchemaId schema, std::optional<Keyword> keyword) const {
  const JsonValue& all = json(schema);
  const bool is_loaded = resource_of(schema).document == 0;
  if (!keyword) return {"", is_loaded ? all.where() : SourceRange{}, location(schema)};
  const KeywordInfo& info = keyword_info(*keyword, dialect(schema));
  const JsonValue* value = all.find(info.name);
  return {"", is_loaded ? (value == nullptr ? all : *value).where() : SourceRange{},
          location(schema) + "/" + std::string(info.name)};
}

Error SchemaStore::error(ErrorCode code, SchemaId schema, Keyword keyword, std::string_view message) const {
  const KeywordInfo& info = keyword_info(keyword, dialect(schema));
  const JsonValue* value = json(schema).find(info.name);
  const SourceRange range = (value == nullptr ? json(schema) : *value).where();
  return Error{code,
               quoted(info.name) + " of " + quoted(location(schema)) + place_in_document(resource(schema), range) +
                   " " + std::string(message),
               where(resource(schema), range)};
}

Warning SchemaStore::warning(SchemaId schema, const JsonMember& member, std::string_view message) const {
  return Warning{quoted(member.key) + " of " + quoted(location(schema)) +
                     place_in_document(resource(schema), member.key_where) + " " + std::string(message),
                 where(resource(schema), member.key_where)};
}

}  // namespace weir::frontend::json_schema
