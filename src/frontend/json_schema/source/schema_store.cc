#include "frontend/json_schema/source/schema_store.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/metaschemas.h"
#include "frontend/search_bounds.h"

namespace weir::frontend::json_schema {

namespace {

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

}  // namespace

SchemaStore::SchemaStore(const SchemaRegistry& registry, const Limits& limits) : registry_(registry), limits_(limits) {
  scopes_.intern({});  // ScopeId::kEmpty.
}

std::vector<const JsonDocument*> SchemaStore::documents() const {
  std::vector<const JsonDocument*> all{loaded_.get()};
  for (const JsonDocument& document : registry_.documents()) all.push_back(&document);
  return all;
}

Result<SchemaId> SchemaStore::load(std::string_view text, const LoadOptions& options) {
  Result<JsonDocument> document = JsonDocument::parse(text, limits_);
  if (!document) return tl::unexpected(std::move(document.error()));
  return load(std::make_shared<const JsonDocument>(std::move(*document)), options);
}

Result<SchemaId> SchemaStore::load(std::shared_ptr<const JsonDocument> document, const LoadOptions& options) {
  options_ = options;
  loaded_ = std::move(document);
  for (const base::DuplicateKey& key : loaded_->duplicate_keys()) {
    const std::string_view name = text().substr(key.overridden.start, key.overridden.end - key.overridden.start);
    warnings_.push_back({"a later member overrides the key " + quoted(name), key.overridden, {}, "duplicate-key"});
  }
  const JsonValue& root = loaded_->root();
  if (!root.is(JsonType::kObject) && !root.is(JsonType::kBoolean)) {
    return tl::unexpected(Error{ErrorCode::kInvalidArgument, "a schema is an object or a boolean", root.where()});
  }
  const Result<ResourceId> resource = add_document(*loaded_, options.base_uri);
  if (!resource) return tl::unexpected(resource.error());
  return at(*resource).root;
}

const JsonValue* SchemaStore::find_member(SchemaId schema, Keyword keyword) const {
  const Schema& at = schemas_[index(schema)];
  if (at.hides_siblings && keyword != Keyword::kRef) return nullptr;
  const KeywordInfo& info = keyword_info(keyword, dialect(schema));
  if (!has_keyword(schema, info)) return nullptr;
  // `id` and `$id` are one keyword; the dialect decides which of them counts.
  if (keyword == Keyword::kId) return at.json->find(info.name);
  return keyword_values_[at.first_value + at.keywords.count_before(keyword)];
}

Result<SchemaId> SchemaStore::subschema(SchemaId parent, const JsonValue& value) const {
  if (const auto found = schema_at(value)) return *found;
  const Resource& resource = resource_of(parent);
  const JsonValue& root = documents_[resource.document].json->root();
  return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                              "expected a schema, an object or a boolean, at " + quoted("#" + pointer_to(root, value)),
                              where(this->resource(parent), value.where())});
}

SourceRange SchemaStore::where(ResourceId resource, SourceRange range) const {
  return resources_[index_of(resource)].document == 0 ? range : document_of(resource).reference;
}

// Returns ", at 2:3 there," for a range in a document of the registry; "" for one in the loaded document.
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
  const Result<SchemaId> first = target_of(schema, keyword, reference);
  if (!first) return tl::unexpected(first.error());
  SchemaId target = *first;
  const Resource& resource = resource_of(target);

  // If the reference names a dynamic anchor, the target is the outermost schema with that anchor. A reference to the
  // same schema by a pointer or another anchor keeps its target.
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

/// Returns resolve(), whose results it remembers. `reference` is a string of a document.
Result<SchemaId> SchemaStore::target_of(SchemaId from, Keyword keyword, std::string_view reference) {
  const ResourceId resource = this->resource(from);
  if (const auto known = at(resource).targets.find(reference); known != at(resource).targets.end())
    return known->second;
  Result<SchemaId> target = resolve(from, keyword, reference);
  if (target) at(resource).targets.emplace(reference, *target);
  return target;
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
    missing.hint = "schemas are never fetched: give it with `documents`";
    missing.options = "documents";
    return tl::unexpected(std::move(missing));
  }
  if (const auto known = schema_at(remote->root())) {
    return this->resource(*known);  // It was added under another URI.
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
  metaschemas_.push_back(std::move(*document));
  return &metaschemas_.back();
}

Result<SchemaId> SchemaStore::find_at_pointer(SchemaId from, Keyword keyword, ResourceId resource,
                                              std::string_view pointer) {
  const Result<std::vector<std::string>> tokens = parse_pointer(pointer);
  if (!tokens) return tl::unexpected(error(ErrorCode::kInvalidArgument, from, keyword, tokens.error().message));
  const JsonValue* value = &json(at(resource).root);
  // The path may pass through resources inside this one; the target belongs to the innermost.
  for (const std::string& token : *tokens) {
    value = step_pointer(*value, token);
    if (value == nullptr) {
      Error missing = error(ErrorCode::kInvalidArgument, from, keyword,
                            "leads to " + quoted("#" + std::string(pointer)) + ", which does not exist");
      std::vector<std::string> other = *tokens;
      other.front() = other.front() == "$defs" ? "definitions" : "$defs";
      if (find_pointer(json(at(resource).root), other) != nullptr) {
        missing.hint = "did you mean `#/" + other.front() + "/...`?";
      }
      return tl::unexpected(std::move(missing));
    }
    if (const auto known = schema_at(*value)) resource = this->resource(*known);
  }
  if (!schema_at(*value)) {
    if (!value->is(JsonType::kObject) && !value->is(JsonType::kBoolean)) {
      return tl::unexpected(error(ErrorCode::kInvalidArgument, from, keyword,
                                  "leads to " + quoted("#" + std::string(pointer)) +
                                      ", which is no schema but of type " + std::string(to_string(value->type()))));
    }
    if (const Result<void> scanned = scan(*value, resource); !scanned) return tl::unexpected(scanned.error());
  }
  return *schema_at(*value);
}

std::string SchemaStore::location(SchemaId schema) const {
  const Resource& resource = resource_of(schema);
  const JsonValue& root = documents_[resource.document].json->root();
  if (resource.document == 0) return "#" + pointer_to(root, json(schema));
  // The first resource of a document is that of its root, so its URI is the document's.
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

// Walking a document along the keywords that hold schemas, and collecting resources and anchors.

namespace {

/// Returns the member `key` if there is one and it is a string; else null.
const JsonValue* find_string(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  return value != nullptr && value->is(JsonType::kString) ? value : nullptr;
}

bool is_schema(const JsonValue& value) { return value.is(JsonType::kObject) || value.is(JsonType::kBoolean); }

bool ref_hides_siblings(const JsonValue& value, Dialect dialect) {
  return dialect <= Dialect::kDraft7 && find_string(value, "$ref") != nullptr;
}

std::string key_of(Uri uri) {
  uri.fragment.reset();
  return to_string(uri);
}

}  // namespace

/// What the identity keywords (`$id`, `$schema`) of one schema say.
struct SchemaStore::Identity {
  Language language;
  bool begins_resource = false;
  Uri base;
  std::string anchor;  // That of an `$id` that is an anchor, up to draft 7.
};

Result<ResourceId> SchemaStore::add_document(const JsonDocument& json, std::string_view uri) {
  Resource resource;
  resource.document = static_cast<std::uint32_t>(documents_.size());
  resource.base = parse_uri(uri);
  resource.base.fragment.reset();
  resource.base_text = to_string(resource.base);
  resource.dialect = options_.default_dialect;
  resource.vocabularies = default_vocabularies(options_.default_dialect);
  const auto id = ResourceId(resources_.size());
  Document document;
  document.json = &json;
  document.resources.emplace(resource.base_text, id);
  if (!resource.base_text.empty()) by_uri_.emplace(resource.base_text, id);
  documents_.push_back(std::move(document));
  resources_.push_back(std::move(resource));
  if (const Result<void> scanned = scan(json.root(), id); !scanned) return tl::unexpected(scanned.error());
  return id;
}

// Appends the values of the keywords among the members of `value` to keyword_values_, and returns the keywords.
KeywordSet SchemaStore::add_keywords(const JsonValue& value) {
  KeywordSet keywords;
  std::array<const JsonValue*, kKeywordCount> values{};
  for (const JsonMember& member : value.members()) {
    const KeywordInfo* info = find_keyword(member.key);
    if (info == nullptr) continue;
    keywords.add(info->keyword);
    values[static_cast<std::size_t>(info->keyword)] = &member.value;
  }
  keywords.for_each([&](Keyword keyword) { keyword_values_.push_back(values[static_cast<std::size_t>(keyword)]); });
  return keywords;
}

Result<void> SchemaStore::scan(const JsonValue& start, ResourceId resource) {
  std::vector<Pending> pending{{&start, resource}};
  while (!pending.empty()) {
    const Pending next = pending.back();
    pending.pop_back();
    const JsonValue& value = *next.value;
    if (!is_schema(value) || schema_at(value)) continue;
    const bool is_document_root = &value == &documents_[at(next.resource).document].json->root();
    const std::size_t first_value = keyword_values_.size();
    const KeywordSet keywords = add_keywords(value);
    const Result<ResourceId> own = identify(value, keywords, next.resource, is_document_root);
    if (!own) return tl::unexpected(own.error());
    const auto schema = SchemaId(schemas_.size());
    const bool hides_siblings = options_.reading == JsonSchemaOptions::Reading::kSpecification &&
                                keywords.contains(Keyword::kRef) && ref_hides_siblings(value, at(*own).dialect);
    const JsonValue* items = keywords.contains(Keyword::kItems) ? value.find("items") : nullptr;
    const bool old_items = items != nullptr && items->is(JsonType::kArray) && !at(*own).names_draft &&
                           at(*own).dialect == Dialect::k2020_12 && !keywords.contains(Keyword::kPrefixItems);
    schemas_.push_back({&value, *own, keywords, first_value, hides_siblings, old_items});
    by_json_.insert({&value, schema});
    const bool is_resource_root = is_document_root || *own != next.resource;
    if (is_resource_root) at(*own).root = schema;
    if (!value.is(JsonType::kObject)) continue;
    add_anchors(schema, is_resource_root);
    add_subschemas(schema, *own, pending);
  }
  return {};
}

/// Returns the resource that `value` belongs to: `resource`, or a new one that begins here.
Result<ResourceId> SchemaStore::identify(const JsonValue& value, KeywordSet keywords, ResourceId resource,
                                         bool is_document_root) {
  if (!keywords.contains(Keyword::kId) && !keywords.contains(Keyword::kSchema)) return resource;
  Result<Identity> identity = identity_of(value, resource, is_document_root);
  if (!identity) return tl::unexpected(std::move(identity.error()));
  if (is_document_root) {
    at(resource).dialect = identity->language.dialect;
    at(resource).vocabularies = identity->language.vocabularies;
    at(resource).names_draft = identity->language.is_named;
  }
  if (!identity->begins_resource) return resource;

  const std::string uri = to_string(identity->base);
  const std::uint32_t document = at(resource).document;
  const auto id = is_document_root ? resource : ResourceId(resources_.size());
  const bool is_new = documents_[document].resources.emplace(uri, id).second;
  if (!is_new && documents_[document].resources[uri] != id && document == 0) {
    warnings_.push_back({"a second schema with the URI `" + uri + "`: references lead to the first",
                         value.where(),
                         {},
                         "duplicate-uri"});
  }
  if (identity->base.scheme) by_uri_.emplace(uri, id);
  if (is_document_root) {
    at(id).base = std::move(identity->base);
    at(id).base_text = uri;
  } else {
    Resource begun;
    begun.document = document;
    begun.base = std::move(identity->base);
    begun.base_text = uri;
    begun.dialect = identity->language.dialect;
    begun.vocabularies = identity->language.vocabularies;
    begun.names_draft = identity->language.is_named;
    resources_.push_back(std::move(begun));
  }
  return id;
}

Result<SchemaStore::Identity> SchemaStore::identity_of(const JsonValue& value, ResourceId resource,
                                                       bool is_document_root) {
  const Resource& enclosing = at(resource);
  Identity identity;
  identity.language = {enclosing.dialect, enclosing.vocabularies, enclosing.names_draft};
  // The enclosing dialect decides whether a resource begins here. If so, `$schema` may choose another dialect for it.
  const bool has_id = find_string(value, keyword_info(Keyword::kId, enclosing.dialect).name) != nullptr;
  if (const JsonValue* schema = find_string(value, "$schema"); schema != nullptr && (is_document_root || has_id)) {
    const Result<Language> own = language_of(schema->string(), schema->where(), enclosing.document == 0, 0);
    if (!own) return tl::unexpected(own.error());
    identity.language = *own;
    identity.language.is_named = true;
  }
  const Dialect dialect = identity.language.dialect;
  const JsonValue* id = find_string(value, keyword_info(Keyword::kId, dialect).name);
  if (id == nullptr || ref_hides_siblings(value, dialect)) return identity;
  identity.base = resolve_uri(enclosing.base, parse_uri(id->string()));
  identity.base.fragment.reset();
  // An `$id` that only adds a fragment is an anchor (up to draft 7) or has no effect.
  identity.begins_resource = identity.base != enclosing.base;
  return identity;
}

void SchemaStore::add_anchors(SchemaId schema, bool is_resource_root) {
  const auto string_of = [&](Keyword keyword) -> const JsonValue* {
    const Schema& at = schemas_[index(schema)];
    if (!at.keywords.contains(keyword)) return nullptr;
    const KeywordInfo& info = keyword_info(keyword, dialect(schema));
    return has_keyword(schema, info) ? find_string(*at.json, info.name) : nullptr;
  };
  Resource& resource = at(this->resource(schema));
  if (const JsonValue* anchor = string_of(Keyword::kAnchor)) {
    resource.anchors.emplace(anchor->string(), schema);
  }
  if (const JsonValue* anchor = string_of(Keyword::kDynamicAnchor)) {
    resource.anchors.emplace(anchor->string(), schema);
    resource.dynamic_anchors.emplace_back(anchor_number(anchor->string()), schema);
  }
  const JsonValue* const id = resource.dialect <= Dialect::kDraft7 ? string_of(Keyword::kId) : nullptr;
  if (id != nullptr && !ref_hides_siblings(json(schema), resource.dialect)) {
    const std::string fragment = parse_uri(id->string()).fragment.value_or("");
    if (!fragment.empty() && fragment.front() != '/') resource.anchors.emplace(fragment, schema);
  }
  if (resource.dialect == Dialect::k2019_09 && is_resource_root) {
    const JsonValue* recursive = json(schema).find("$recursiveAnchor");
    if (recursive != nullptr && recursive->is(JsonType::kBoolean) && recursive->boolean()) {
      resource.is_recursive = true;
      resource.dynamic_anchors.emplace_back(anchor_number(""), schema);
    }
  }
}

void SchemaStore::add_subschemas(SchemaId schema, ResourceId resource, std::vector<Pending>& pending) const {
  if (!keywords(schema).intersects(keywords_with_schemas())) return;
  const JsonValue& value = json(schema);
  const std::size_t first = pending.size();
  const auto add_elements = [&](const JsonValue& array) {
    for (const JsonValue& item : array.items()) pending.push_back({&item, resource});
  };
  for (const JsonMember& member : value.members()) {
    const KeywordInfo* info = find_keyword(member.key);
    if (info == nullptr || info->schemas == SchemasIn::kNowhere) continue;
    if (!has_keyword(schema, *info)) continue;
    switch (info->schemas) {
      case SchemasIn::kNowhere: break;
      case SchemasIn::kValueOrElements: add_elements(member.value); [[fallthrough]];
      case SchemasIn::kValue: pending.push_back({&member.value, resource}); break;
      case SchemasIn::kElements: add_elements(member.value); break;
      case SchemasIn::kMembers:
      case SchemasIn::kSomeMembers:  // Arrays are not schemas; the walk skips them.
        for (const JsonMember& child : member.value.members()) pending.push_back({&child.value, resource});
        break;
    }
  }
  // Visit in the order of the text, so that the first of two equal identifiers counts.
  std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
}

Result<SchemaStore::Language> SchemaStore::language_of(std::string_view uri, SourceRange where, bool is_main,
                                                       unsigned depth) {
  const SourceRange visible = is_main ? where : SourceRange{};
  const std::string key = key_of(parse_uri(uri));
  const KnownSchemaUri known = known_schema_uri(uri);
  if (known.unsupported) {
    return tl::unexpected(
        Error{ErrorCode::kUnsupported, "schemas of `" + key + "` are not supported", visible, "draft 4 and later are"});
  }
  if (known.dialect) return Language{*known.dialect, default_vocabularies(*known.dialect)};
  const JsonDocument* metaschema = registry_.find(key);
  if (metaschema != nullptr && depth < kMaxMetaschemas) {
    return language_of_metaschema(*metaschema, key, visible, is_main, depth);
  }
  if (is_main)
    warnings_.push_back(
        {"unknown `$schema`: `" + key + "`; the default dialect is used", where, {}, "unknown-dialect"});
  return Language{options_.default_dialect, default_vocabularies(options_.default_dialect)};
}

Result<SchemaStore::Language> SchemaStore::language_of_metaschema(const JsonDocument& metaschema, std::string_view uri,
                                                                  SourceRange where, bool is_main, unsigned depth) {
  Language language{options_.default_dialect, default_vocabularies(options_.default_dialect)};
  const JsonValue* schema = find_string(metaschema.root(), "$schema");
  if (schema != nullptr && parse_uri(schema->string()) != parse_uri(uri)) {
    const Result<Language> base = language_of(schema->string(), where, is_main, depth + 1);
    if (!base) return base;
    language = *base;
  }
  const JsonValue* vocabularies = metaschema.root().find("$vocabulary");
  if (vocabularies == nullptr || !vocabularies->is(JsonType::kObject)) return language;
  language.vocabularies = Vocabularies::kCore;
  for (const JsonMember& member : vocabularies->members()) {
    const std::optional<Vocabularies> known = vocabulary_of_uri(member.key);
    if (known) {
      // Known vocabularies are used even if they are optional.
      language.vocabularies = language.vocabularies | *known;
    } else if (member.value.is(JsonType::kBoolean) && member.value.boolean()) {
      return tl::unexpected(Error{
          ErrorCode::kUnsupported,
          "`" + std::string(uri) + "` requires the vocabulary `" + std::string(member.key) + "`, which is not known",
          where});
    }
  }
  return language;
}

std::uint32_t SchemaStore::anchor_number(std::string_view name) {
  return anchor_numbers_.emplace(name, static_cast<std::uint32_t>(anchor_numbers_.size())).first->second;
}

Result<void> SchemaRegistry::add(std::string_view uri, std::string_view text, const Limits& limits) {
  Result<JsonDocument> document = JsonDocument::parse(text, limits);
  if (!document) return tl::unexpected(std::move(document.error()));
  documents_.push_back(std::move(*document));
  const JsonDocument* added = &documents_.back();
  by_uri_.insert_or_assign(key_of(parse_uri(uri)), added);
  const JsonValue* id = find_string(added->root(), "$id");
  if (id == nullptr) id = find_string(added->root(), "id");
  if (id != nullptr) {
    const Uri own = parse_uri(id->string());
    if (own.scheme) by_uri_.emplace(key_of(own), added);
  }
  return {};
}

const JsonDocument* SchemaRegistry::find(std::string_view uri) const {
  const auto found = by_uri_.find(uri);
  return found == by_uri_.end() ? nullptr : found->second;
}

}  // namespace weir::frontend::json_schema
