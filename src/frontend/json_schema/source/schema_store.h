// SchemaStore: schemas with their identities resolved. The first of the front end's steps, before any meaning.
//
// WHAT   Knows of every schema, the subschemas included: which dialect and vocabularies it is written in, its base URI,
//        its anchors; and follows `$ref`, `$dynamicRef` and `$recursiveRef`. What the keywords assert is not known
//        here.
// WHY    Apart from the algebra, because it is where the dialects differ most and where the rules are about places in
//        documents; the algebra sees handles.
// HOW    A document is walked once along the keywords that hold schemas (keywords.h). An `$id` begins a *resource*: a
//        base URI, a root, a dialect, anchors. A reference is resolved against the base, which names a resource, here
//        or in the registry; its fragment is a JSON pointer from the resource's root, or an anchor. What a pointer
//        leads to under a keyword that we do not know becomes a schema when a reference says that it is one.
// SCOPES `$dynamicRef` leads to the outermost resource on the way here that has the anchor. All that the way can do is
//        remembered in a ScopeId: the first target for every dynamic anchor met. Equal scopes have equal ids, so "this
//        schema in this scope" is a pair of integers, recursion comes back to a pair that is known, and most schemas
//        have one scope only.
// WHICH  - Up to draft 7 the siblings of `$ref` do not count, `$id` among them (draft-handrews-json-schema-01, section
//          8.3); subschemas inside them still can be referred to.
//        - `$schema` counts at the root of a document and where an `$id` begins a resource. A metaschema of one's own
//          is looked up in the registry for its `$vocabulary`; one that is not there is a warning, and the default
//          dialect is used. A required vocabulary that we do not know is an error.
//        - The network is never asked. The metaschemas of the dialects are known (metaschemas.h), unless the registry
//          has a document of the same URI.
// ERRORS Messages name the schema by its URI and JSON pointer. Error::where is a range of the loaded text; when the
//        fault lies in a document of the registry, that of the reference which first led there, and the message has the
//        place in the document.
// COST   Reading and walking: 0.4 µs a schema of 26 bytes (AMD EPYC, 2 GHz, 2026-11-21). Following a pointer: its
//        length.
// THREADS Not thread-safe; a SchemaRegistry that is no longer filled is.
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

#include "base/word_interner.h"
#include "frontend/json_schema/source/json_value.h"
#include "frontend/json_schema/source/keywords.h"
#include "frontend/json_schema/source/uri.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

enum class SchemaId : std::uint32_t {};
enum class ResourceId : std::uint32_t {};
enum class ScopeId : std::uint32_t {
  kEmpty = 0,  ///< Nothing was passed yet.
};

/// Where one is: a schema, and the scope behind it.
struct SchemaPlace {
  SchemaId schema;
  ScopeId scope;
  friend auto operator<=>(const SchemaPlace&, const SchemaPlace&) = default;
};

/// Documents by URI, for references to find: the caller's stand-in for the network.
class SchemaRegistry {
 public:
  /// Adds a document under `uri`, and under its own `$id` if that is absolute and still free. `uri` may be relative,
  /// for schemas that have no base. A second document under one URI replaces the first.
  /// Errors: those of JsonDocument::parse, with a range of `text`.
  Result<void> add(std::string_view uri, std::string_view text, const Limits& limits);
  /// `uri` without a fragment. Null when there is none.
  [[nodiscard]] const JsonDocument* find(std::string_view uri) const;

 private:
  std::deque<JsonDocument> documents_;
  std::map<std::string, const JsonDocument*, std::less<>> by_uri_;
};

struct LoadOptions {
  std::string base_uri = {};  ///< Where the text came from. May be empty.
  Dialect default_dialect = Dialect::k2020_12;
};

class SchemaStore {
 public:
  /// `registry` must outlive the store.
  SchemaStore(const SchemaRegistry& registry, const Limits& limits);
  SchemaStore(const SchemaStore&) = delete;
  SchemaStore& operator=(const SchemaStore&) = delete;

  /// Reads a schema; its root. To be called once.
  /// Errors: those of JsonDocument::parse; kInvalidArgument (the text is no schema); kUnsupported (a draft before 4, a
  /// required vocabulary).
  Result<SchemaId> load(std::string_view text, const LoadOptions& options);

  /// An object or a boolean.
  [[nodiscard]] const JsonValue& json(SchemaId schema) const { return *schemas_[index(schema)].json; }
  [[nodiscard]] Dialect dialect(SchemaId schema) const { return resource_of(schema).dialect; }
  [[nodiscard]] Vocabularies vocabularies(SchemaId schema) const { return resource_of(schema).vocabularies; }
  [[nodiscard]] ResourceId resource(SchemaId schema) const { return schemas_[index(schema)].resource; }

  /// The value of a keyword; null where it is absent, does not exist in the schema's dialect and vocabularies, or is
  /// the sibling of a `$ref` that hides it.
  [[nodiscard]] const JsonValue* find(SchemaId schema, Keyword keyword) const;

  /// The schema that stands at `value`, somewhere inside `parent` where a keyword holds schemas.
  /// Errors: kInvalidArgument when it is neither an object nor a boolean.
  [[nodiscard]] Result<SchemaId> subschema(SchemaId parent, const JsonValue& value) const;

  /// The scope behind `schema`, coming from `scope`. To be called with the root and kEmpty, and for every subschema
  /// that is entered; it is `scope` itself unless `schema` begins a resource with dynamic anchors.
  ScopeId enter(ScopeId scope, SchemaId schema);

  struct Target {
    SchemaId schema;
    ScopeId scope;  ///< Behind `schema`.
  };
  /// Where kRef, kDynamicRef or kRecursiveRef of `schema` leads. `scope` is the one behind `schema`.
  /// Precondition: find(schema, keyword) is not null.
  /// Errors: kInvalidArgument (not a string, nothing there, not a schema); those of load for a document of the
  /// registry.
  Result<Target> follow(SchemaId schema, Keyword keyword, ScopeId scope);

  /// For messages: `#/properties/a` in the loaded document, `https://example.com/x#/a` elsewhere.
  [[nodiscard]] std::string location(SchemaId schema) const;
  /// An error about a keyword's value: "`minLength` of `#/a` <message>", with the value's range.
  [[nodiscard]] Error error(ErrorCode code, SchemaId schema, Keyword keyword, std::string_view message) const;
  /// A warning about a member of a schema: "`minlength` of `#/a` <message>", with the key's range.
  [[nodiscard]] Warning warning(SchemaId schema, const JsonMember& member, std::string_view message) const;

  /// The place of a keyword's value, or of all of a schema, without a message.
  [[nodiscard]] ErrorNote note(SchemaId schema, std::optional<Keyword> keyword) const;
  /// The schema's range in the loaded text; of one in another document that of the reference that led there.
  [[nodiscard]] SourceRange where(SchemaId schema) const { return where(resource(schema), json(schema).where()); }
  /// The loaded text.
  [[nodiscard]] std::string_view text() const { return loaded_.front().text(); }

  [[nodiscard]] std::span<const Warning> warnings() const { return warnings_; }
  [[nodiscard]] std::size_t schema_count() const { return schemas_.size(); }

 private:
  struct Schema {
    const JsonValue* json;
    ResourceId resource;
    KeywordSet keywords;  // What its members are called, whether that says something in its dialect or not.
    bool hides_siblings;  // Has a `$ref` beside which nothing counts.
  };
  struct Language {
    Dialect dialect = Dialect::k2020_12;
    Vocabularies vocabularies = Vocabularies::kAll;
  };
  struct Resource {
    std::uint32_t document = 0;
    SchemaId root{};
    Uri base;               // Without a fragment.
    std::string base_text;  // The same.
    Dialect dialect = Dialect::k2020_12;
    Vocabularies vocabularies = Vocabularies::kAll;
    std::map<std::string, SchemaId, std::less<>> anchors = {};
    std::vector<std::pair<std::uint32_t, SchemaId>> dynamic_anchors = {};  // By the name's number.
    bool is_recursive = false;                                             // Has "$recursiveAnchor": true.
  };
  struct Document {
    const JsonDocument* json = nullptr;
    SourceRange reference = {};  // In the loaded text: what first led there, directly or not.
    std::map<std::string, ResourceId, std::less<>> resources = {};
  };
  struct Identity;
  struct Pending {
    const JsonValue* value;
    ResourceId resource;
  };

  static std::size_t index(SchemaId id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] const Resource& resource_of(SchemaId schema) const { return resources_[index_of(resource(schema))]; }
  static std::size_t index_of(ResourceId id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] Resource& at(ResourceId id) { return resources_[index_of(id)]; }

  // schema_store.cc
  Result<ResourceId> add_document(const JsonDocument& json, std::string_view uri);
  Result<void> scan(const JsonValue& start, ResourceId resource);
  Result<ResourceId> identify(const JsonValue& value, KeywordSet keywords, ResourceId resource, bool is_document_root);
  Result<Identity> identity_of(const JsonValue& value, ResourceId resource, bool is_document_root);
  void add_anchors(SchemaId schema, bool is_resource_root);
  void add_subschemas(const JsonValue& value, ResourceId resource, std::vector<Pending>& pending) const;
  Result<Language> language_of(std::string_view uri, SourceRange where, bool is_main, unsigned depth);
  Result<Language> language_of_metaschema(const JsonDocument& metaschema, std::string_view uri, SourceRange where,
                                          bool is_main, unsigned depth);
  std::uint32_t anchor_number(std::string_view name);

  // schema_store.cc
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
  Dialect default_dialect_ = Dialect::k2020_12;
  std::deque<JsonDocument> loaded_;  // The schema, and metaschemas that were asked for.
  std::vector<Document> documents_;  // The first is the loaded one.
  std::vector<Schema> schemas_;
  std::vector<Resource> resources_;
  std::unordered_map<const JsonValue*, SchemaId> by_json_;
  std::map<std::string, ResourceId, std::less<>> by_uri_;  // Of all documents, absolute ones and keys of the registry.
  std::map<std::string, std::uint32_t, std::less<>> anchor_numbers_;
  base::WordInterner scopes_;  // Pairs of an anchor's number and its first schema, by number.
  std::unordered_map<std::uint64_t, ScopeId> entered_;
  std::vector<Warning> warnings_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_SCHEMA_STORE_H_
