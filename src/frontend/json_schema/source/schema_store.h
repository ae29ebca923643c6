// SchemaStore: reads schemas and resolves their identifiers and references. The first step of the front end.
//
// WHAT   For every schema, including subschemas, the store has its dialect, vocabularies, base URI and anchors. It
//        follows `$ref`, `$dynamicRef` and `$recursiveRef`. It does not interpret other keywords.
// WHY    The dialects differ most in identifiers and references, and these are about locations in documents. The
//        algebra only needs ids.
// HOW    A document is walked once along the keywords that hold schemas (keywords.h). An `$id` begins a *resource*: a
//        base URI, a root, a dialect, anchors. A reference is resolved against the base URI and names a resource, in
//        the same document or in the registry. Its fragment is a JSON pointer from the resource's root, or an anchor. A
//        value under an unknown keyword is not walked; it becomes a schema when a reference leads to it.
// SCOPES The target of a `$dynamicRef` depends on the *dynamic scope*, that is, the resources that were entered on the
//        path from the root: it is the schema with that anchor in the outermost of them. A ScopeId stores the first
//        target of every dynamic anchor on the path. Equal scopes have equal ids. So a schema in a scope is a pair of
//        integers, recursion leads back to a pair that has been seen, and most schemas have only one scope.
// WHICH  - Up to draft 7 the siblings of `$ref` are ignored, including `$id` (draft-handrews-json-schema-01, section
//          8.3). References may still lead to subschemas inside them. In practice (JsonSchemaOptions::Reading) all
//          siblings count but `$id`: it would change where the `$ref` leads.
//        - Of the keywords of a draft those count that the draft defines. In practice those of later drafts do, too.
//        - `$schema` counts at the root of a document and where an `$id` begins a resource. A custom metaschema is
//          looked up in the registry for its `$vocabulary`. If it is not there, that is a warning, and the default
//          dialect is used. A required vocabulary that is unknown is an error.
//        - Nothing is fetched over the network. The metaschemas of the dialects are built in (metaschemas.h); a
//          document of the registry with the same URI takes precedence.
// ERRORS Messages name the schema by its URI and JSON pointer. Error::where is a range of the loaded text. For an error
//        in a document of the registry, it is the range of the reference that first led there, and the message has the
//        line and column in the document.
// COST   Linear in the text. Following a pointer is linear in the pointer's tokens.
// THREADS Not thread-safe. A SchemaRegistry is, once no more documents are added.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_SCHEMA_STORE_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_SCHEMA_STORE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/flat_table.h"
#include "base/hash.h"
#include "base/interner.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/keywords.h"
#include "frontend/json_schema/source/uri.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

enum class SchemaId : std::uint32_t {};
enum class ResourceId : std::uint32_t {};
enum class ScopeId : std::uint32_t {
  kEmpty = 0,  ///< No resource has been entered.
};

/// A schema in the scope that results from entering it.
struct SchemaPlace {
  SchemaId schema;
  ScopeId scope;
  friend auto operator<=>(const SchemaPlace&, const SchemaPlace&) = default;
};

/// Documents by URI, which references may lead to. The caller adds them, since nothing is fetched.
class SchemaRegistry {
 public:
  /// Adds a document under `uri`, and under its own `$id` if that is absolute and not in use. `uri` may be relative,
  /// for schemas without a base URI. A second document under the same `uri` replaces the first.
  /// Errors: those of JsonDocument::parse, with a range of `text`.
  Result<void> add(std::string_view uri, std::string_view text, const Limits& limits);
  /// Returns the document under `uri`, which has no fragment; null if there is none.
  [[nodiscard]] const JsonDocument* find(std::string_view uri) const;
  [[nodiscard]] const std::deque<JsonDocument>& documents() const { return documents_; }

 private:
  std::deque<JsonDocument> documents_;
  std::map<std::string, const JsonDocument*, std::less<>> by_uri_;
};

struct LoadOptions {
  std::string base_uri = {};  ///< The URI that the text was retrieved from; may be empty.
  Dialect default_dialect = Dialect::k2020_12;
  JsonSchemaOptions::Reading reading = JsonSchemaOptions::Reading::kSpecification;
};

class SchemaStore {
 public:
  /// `registry` must outlive the store.
  SchemaStore(const SchemaRegistry& registry, const Limits& limits);
  SchemaStore(const SchemaStore&) = delete;
  SchemaStore& operator=(const SchemaStore&) = delete;

  /// Reads a schema and returns its root. Call it once.
  /// Errors: those of JsonDocument::parse; kInvalidArgument (the text is not a schema); kUnsupported (a draft before 4,
  /// an unknown required vocabulary).
  Result<SchemaId> load(std::string_view text, const LoadOptions& options);
  /// The same for a text that has been read. Stores may share it.
  Result<SchemaId> load(std::shared_ptr<const JsonDocument> document, const LoadOptions& options);

  /// Returns the schema's value, an object or a boolean.
  [[nodiscard]] const JsonValue& json(SchemaId schema) const { return *schemas_[index(schema)].json; }
  [[nodiscard]] Dialect dialect(SchemaId schema) const { return resource_of(schema).dialect; }
  [[nodiscard]] Vocabularies vocabularies(SchemaId schema) const { return resource_of(schema).vocabularies; }
  [[nodiscard]] ResourceId resource(SchemaId schema) const { return schemas_[index(schema)].resource; }
  /// Returns the keywords among the schema's members. find() may ignore some of them.
  [[nodiscard]] KeywordSet keywords(SchemaId schema) const { return schemas_[index(schema)].keywords; }

  /// Returns true if the schema's `items` is read as drafts up to 2019-09 do: a list, with `additionalItems` for the items
  /// after it. In 2020-12, where a list would be an error, it is read in this way if no `$schema` names the draft and
  /// there is no `prefixItems`.
  [[nodiscard]] bool has_old_items(SchemaId schema) const { return schemas_[index(schema)].old_items; }
  [[nodiscard]] JsonSchemaOptions::Reading reading() const { return options_.reading; }
  /// Returns true if the schema has a `$ref` beside which other keywords have no effect.
  [[nodiscard]] bool hides_siblings(SchemaId schema) const { return schemas_[index(schema)].hides_siblings; }
  /// Returns true if the dialect of the schema has the keyword, or, read as in practice, a later one.
  [[nodiscard]] bool has_keyword(SchemaId schema, const KeywordInfo& keyword) const {
    return exists(resource_of(schema), keyword) ||
           (keyword.keyword == Keyword::kAdditionalItems && has_old_items(schema));
  }
  /// Returns true if `$schema` names the draft of the schema, there or in a schema around it.
  [[nodiscard]] bool names_draft(SchemaId schema) const { return resource_of(schema).names_draft; }

  /// Returns the value of a keyword. Null if the keyword is absent, does not exist in the schema's dialect and
  /// vocabularies, or is ignored beside a `$ref`.
  [[nodiscard]] const JsonValue* find(SchemaId schema, Keyword keyword) const {
    return schemas_[index(schema)].keywords.contains(keyword) ? find_member(schema, keyword) : nullptr;
  }

  /// Returns the schema at `value`, which is inside `parent` where a keyword holds schemas.
  /// Errors: kInvalidArgument if the value is neither an object nor a boolean.
  [[nodiscard]] Result<SchemaId> subschema(SchemaId parent, const JsonValue& value) const;

  /// Returns the scope that results from entering `schema` in `scope`. Call it for the root with kEmpty, and for every
  /// subschema on the path. Returns `scope` itself unless the resource of `schema` has dynamic anchors.
  ScopeId enter(ScopeId scope, SchemaId schema);

  struct Target {
    SchemaId schema;
    ScopeId scope;  ///< After entering `schema`.
  };
  /// Returns the target of kRef, kDynamicRef or kRecursiveRef of `schema`. `scope` is the one after entering `schema`.
  /// Precondition: find(schema, keyword) is not null.
  /// Errors: kInvalidArgument (not a string, no value there, not a schema); those of load for a document of the
  /// registry.
  Result<Target> follow(SchemaId schema, Keyword keyword, ScopeId scope);

  /// Returns the schema's location for messages: `#/properties/a` in the loaded document, `https://example.com/x#/a` in
  /// another one.
  [[nodiscard]] std::string location(SchemaId schema) const;
  /// Returns an error about a keyword's value: "`minLength` of `#/a` <message>", with the value's range.
  [[nodiscard]] Error error(ErrorCode code, SchemaId schema, Keyword keyword, std::string_view message) const;
  /// Returns a warning about a member of a schema: "`minlength` of `#/a` <message>", with the key's range.
  [[nodiscard]] Warning warning(SchemaId schema, const JsonMember& member, std::string_view message) const;

  /// Returns a note without a message that points to a keyword's value, or to the whole schema if there is no keyword.
  [[nodiscard]] ErrorNote note(SchemaId schema, std::optional<Keyword> keyword) const;
  /// Returns the schema's range in the loaded text. For a schema in another document, the range of the reference that
  /// first led to the document.
  [[nodiscard]] SourceRange where(SchemaId schema) const { return where(resource(schema), json(schema).where()); }
  /// Returns the loaded text.
  [[nodiscard]] std::string_view text() const { return loaded_->text(); }
  [[nodiscard]] const JsonValue& root_json() const { return loaded_->root(); }
  /// Returns the schema, and the documents that references may lead to.
  [[nodiscard]] std::vector<const JsonDocument*> documents() const;

  [[nodiscard]] std::span<const Warning> warnings() const { return warnings_; }
  [[nodiscard]] std::size_t schema_count() const { return schemas_.size(); }

 private:
  struct Schema {
    const JsonValue* json;
    ResourceId resource;
    KeywordSet keywords;      // Keywords among its members, whether or not they exist in its dialect.
    std::size_t first_value;  // Where their values begin in keyword_values_.
    bool hides_siblings;      // True if it has a `$ref` beside which other keywords are ignored.
    bool old_items;           // has_old_items()
  };
  struct Language {
    Dialect dialect = Dialect::k2020_12;
    Vocabularies vocabularies = Vocabularies::kAll;
    bool is_named = false;  // A `$schema` names it.
  };
  struct Resource {
    std::uint32_t document = 0;
    SchemaId root{};
    Uri base;               // Without a fragment.
    std::string base_text;  // `base` as text.
    Dialect dialect = Dialect::k2020_12;
    Vocabularies vocabularies = Vocabularies::kAll;
    bool names_draft = false;
    std::map<std::string, SchemaId, std::less<>> anchors = {};
    std::unordered_map<std::string_view, SchemaId> targets = {};           // Those of references.
    std::vector<std::pair<std::uint32_t, SchemaId>> dynamic_anchors = {};  // With anchor_number().
    bool is_recursive = false;                                             // Has "$recursiveAnchor": true.
  };
  struct Document {
    const JsonDocument* json = nullptr;
    SourceRange reference = {};  // In the loaded text: the reference that first led there, directly or not.
    std::map<std::string, ResourceId, std::less<>> resources = {};
  };
  struct Identity;
  struct Pending {
    const JsonValue* value;
    ResourceId resource;
  };
  struct SchemaOfValue {
    const JsonValue* value = nullptr;
    SchemaId schema{};
    static std::uint32_t hash_of(const JsonValue* value) {
      return static_cast<std::uint32_t>(base::hash_mix(0, reinterpret_cast<std::uintptr_t>(value)));
    }
    [[nodiscard]] bool is_free() const { return value == nullptr; }
    [[nodiscard]] std::uint32_t hash() const { return hash_of(value); }
  };

  static std::size_t index(SchemaId id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] const Resource& resource_of(SchemaId schema) const { return resources_[index_of(resource(schema))]; }
  static std::size_t index_of(ResourceId id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] Resource& at(ResourceId id) { return resources_[index_of(id)]; }

  [[nodiscard]] bool exists(const Resource& resource, const KeywordInfo& keyword) const {
    return keyword.exists_in(resource.dialect, resource.vocabularies, options_.reading);
  }

  [[nodiscard]] std::optional<SchemaId> schema_at(const JsonValue& value) const {
    const SchemaOfValue& found =
        by_json_.find(SchemaOfValue::hash_of(&value), [&](const SchemaOfValue& slot) { return slot.value == &value; });
    return found.is_free() ? std::nullopt : std::optional(found.schema);
  }

  // find() of a keyword that is among the members.
  [[nodiscard]] const JsonValue* find_member(SchemaId schema, Keyword keyword) const;

  // Walking documents.
  Result<ResourceId> add_document(const JsonDocument& json, std::string_view uri);
  KeywordSet add_keywords(const JsonValue& value);
  Result<void> scan(const JsonValue& start, ResourceId resource);
  Result<ResourceId> identify(const JsonValue& value, KeywordSet keywords, ResourceId resource, bool is_document_root);
  Result<Identity> identity_of(const JsonValue& value, ResourceId resource, bool is_document_root);
  void add_anchors(SchemaId schema, bool is_resource_root);
  void add_subschemas(SchemaId schema, ResourceId resource, std::vector<Pending>& pending) const;
  Result<Language> language_of(std::string_view uri, SourceRange where, bool is_main, unsigned depth);
  Result<Language> language_of_metaschema(const JsonDocument& metaschema, std::string_view uri, SourceRange where,
                                          bool is_main, unsigned depth);
  std::uint32_t anchor_number(std::string_view name);

  // Following references.
  Result<SchemaId> target_of(SchemaId from, Keyword keyword, std::string_view reference);
  Result<SchemaId> resolve(SchemaId from, Keyword keyword, std::string_view reference);
  Result<ResourceId> find_resource(SchemaId from, Keyword keyword, const Uri& uri);
  const JsonDocument* metaschema(std::string_view uri);
  Result<SchemaId> find_at_pointer(SchemaId from, Keyword keyword, ResourceId resource, std::string_view pointer);
  [[nodiscard]] const Document& document_of(ResourceId resource) const {
    return documents_[resources_[index_of(resource)].document];
  }
  [[nodiscard]] SourceRange where(ResourceId resource, SourceRange range) const;
  [[nodiscard]] std::string place_in_document(ResourceId resource, SourceRange range) const;

  const SchemaRegistry& registry_;
  Limits limits_;
  LoadOptions options_;
  std::shared_ptr<const JsonDocument> loaded_;
  std::deque<JsonDocument> metaschemas_;  // That references led to.
  std::vector<Document> documents_;       // The first is the loaded one.
  std::vector<Schema> schemas_;
  std::vector<const JsonValue*> keyword_values_;  // For each schema, those of its keywords, in the order of Keyword.
  std::vector<Resource> resources_;
  base::FlatTable<SchemaOfValue> by_json_;
  std::map<std::string, ResourceId, std::less<>> by_uri_;  // All documents; absolute URIs and keys of the registry.
  std::map<std::string, std::uint32_t, std::less<>> anchor_numbers_;
  base::WordInterner scopes_;  // For each ScopeId, pairs of an anchor's number and its first target, sorted.
  std::unordered_map<std::uint64_t, ScopeId> entered_;
  std::vector<Warning> warnings_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_SCHEMA_STORE_H_
