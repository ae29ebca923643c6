#include "frontend/languages/tables.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/blanks.h"
#include "base/json/json_value.h"
#include "base/utf8.h"
#include "frontend/languages/definition_words.h"
#include "frontend/languages/sql_names.h"
#include "grammar/suggest.h"

namespace weir::frontend::sql {

namespace {

// Words with which statements begin. Those that define, change or drop no table are skipped.
constexpr std::string_view kStatements[] = {
    "alter", "analyze", "attach", "begin", "call", "change", "checkpoint", "cluster", "comment", "commit", "copy",
    "create", "deallocate", "declare", "delete", "detach", "discard", "do", "drop", "end", "exec", "execute", "explain",
    "fetch", "flush", "go", "grant", "import", "insert", "kill", "load", "lock", "merge", "notify", "optimize",
    "pragma", "prepare", "print", "reassign", "refresh", "reindex", "release", "rename", "replace", "reset", "revoke",
    "rollback", "savepoint", "security", "select", "set", "show", "start", "stop", "truncate", "unlock", "update",
    "use", "vacuum", "values", "with",
    // of T-SQL
    "backup", "dbcc", "deny", "disable", "else", "enable", "if", "raiserror", "reconfigure", "restore", "waitfor"};
constexpr std::string_view kConstraints[] = {"check", "constraint", "exclude", "foreign",  "primary", "unique",
                                             "index", "key",        "period",  "fulltext", "spatial"};
// What ALTER TABLE adds, drops and renames besides columns.
constexpr std::string_view kPartsOfTables[] = {"check",    "constraint", "default", "exclude",   "foreign",
                                               "fulltext", "index",      "key",     "partition", "period",
                                               "primary",  "spatial",    "system",  "unique"};
// Words with which an action of ALTER TABLE begins that changes no name. After a comma any other word is what ADD or DROP
// before the comma says: `ADD a INT, b INT`.
constexpr std::string_view kOtherActions[] = {
    "algorithm", "alter",      "analyze",    "cache",      "character",     "charset",    "check",       "checksum",
    "clear",     "cluster",    "coalesce",   "collate",    "comment",       "compress",   "compression", "connection",
    "convert",   "data",       "default",    "delete",     "depends",       "detach",     "disable",     "discard",
    "enable",    "encryption", "engine",     "exchange",   "force",         "freeze",     "import",      "in",
    "index",     "inmemory",   "lock",       "logging",    "materialize",   "merge",      "modify",      "move",
    "no",        "nocache",    "nocheck",    "nocompress", "nologging",     "noparallel", "not",         "of",
    "optimize",  "order",      "owner",      "parallel",   "partition",     "password",   "read",        "rebuild",
    "recover",   "remove",     "reorganize", "repair",     "replica",       "reset",      "row",         "shrink",
    "split",     "switch",     "tablespace", "touch",      "transactional", "truncate",   "ttl",         "union",
    "unset",     "update",     "upgrade",    "validate",   "with",          "without"};
// The same for options of MySQL's tables with a `_`.
constexpr std::string_view kTableOptions[] = {
    "auto_increment", "autoextend_size",  "avg_row_length",    "delay_key_write",  "insert_method",
    "key_block_size", "max_rows",         "min_rows",          "pack_keys",        "page_checksum",
    "row_format",     "secondary_engine", "stats_auto_recalc", "stats_persistent", "stats_sample_pages"};

// Returns what two names that mean the same have in common.
std::string key_of_name(const Name& name, bool any_case) {
  return name.is_quoted && !any_case ? name.text : lower_case(name.text);
}

std::string shown(const Name& name) { return "`" + base::escape_for_display(name.text) + "`"; }

// Reads statements word by word.
class DefinitionReader : public DefinitionWords {
 public:
  DefinitionReader(std::string_view text, bool is_mysql, bool any_case)
      : DefinitionWords(text, is_mysql), any_case_(any_case) {}

  std::optional<std::vector<Table>> read() {
    while (!has_failed() && !is_end()) {
      const bool is_copy = is_word("copy");
      const bool is_insert = is_word("insert");
      bool is_for_schema = false;  // adds a row to SQLite's list of tables: so `.dump` writes virtual tables
      bool has_data = false;       // rows follow, up to the line `\.`
      static constexpr std::string_view kWhole[] = {"alter",  "drop",     "go",  "insert", "set", "print",
                                                    "update", "truncate", "use", "if",     "else"};
      may_end_here_ = is_one_of(kWhole);
      if (!is_sign(';')) statement();
      while (!has_failed() && !is_end() && !is_sign(';') && !begins_definition()) {
        has_data = has_data || (is_copy && is_word("stdin"));
        is_for_schema = is_for_schema || (is_insert && (is_word("sqlite_schema") || is_word("sqlite_master")));
        if (is_for_schema && is_literal() && lower_case(word().text).starts_with("'create virtual ")) inner_statement();
        next();
      }
      if (has_data) skip_past("\n\\.");
      if (is_sign(';')) schema_.reset();
      if (!has_failed() && is_sign(';')) next();
    }
    if (!has_failed() && definitions_.empty())
      fail({0, std::min<std::size_t>(text().size(), 1)}, "there is no CREATE TABLE statement");
    if (has_failed()) return std::nullopt;
    std::vector<Table> tables;
    for (Definition& definition : definitions_) {
      if (definition.is_dropped) continue;
      std::erase_if(definition.table.columns, is_dropped);
      tables.push_back(std::move(definition.table));
    }
    return tables;
  }

 private:
  struct Definition {
    Table table;
    SourceRange where;
    bool is_dropped = false;
    std::vector<std::size_t> heirs = {};                        // tables that get the columns that this one gets
    std::unordered_map<std::string, std::size_t> columns = {};  // places by key_of, once the table is altered
  };
  // A change of a table's columns: `to` alone is added, `from` alone dropped, and with both `from` is renamed.
  struct Change {
    std::optional<Name> from = {};
    std::optional<Name> to = {};
    SourceRange where = {};  // the column's name
    bool may_lack = false;   // IF EXISTS, IF NOT EXISTS
  };

  [[nodiscard]] std::string key_of(const Name& name) const { return key_of_name(name, any_case_); }
  [[nodiscard]] std::string key_of(const Table& table) const {
    return (table.schema ? key_of(*table.schema) : "") + '\0' + key_of(table.name);
  }

  // A column that was dropped keeps its place, without a name.
  static bool is_dropped(const Name& column) { return column.text.empty(); }

  [[nodiscard]] bool is_other_action() const { return is_one_of(kOtherActions) || is_one_of(kTableOptions); }
  bool take_if_exists() {  // or IF NOT EXISTS
    if (!is_word("if") || !is_ahead([&] { return is_word("not") || is_word("exists"); })) return false;
    next();
    take_word("not");
    take_word("exists");
    return true;
  }
  // T-SQL needs no `;` before another CREATE, ALTER or DROP. In other statements, such as SHOW CREATE TABLE, it defines nothing.
  bool begins_definition() {
    static constexpr std::string_view kNext[] = {"table", "temp",         "temporary", "unlogged", "view",
                                                 "or",    "materialized", "virtual",   "global",   "local"};
    if (!may_end_here_) return false;
    if (is_word("alter") || is_word("drop")) return is_ahead([&] { return is_word("table") || is_word("view"); });
    return is_word("create") && is_ahead([&] { return is_one_of(kNext); });
  }
  // Within a statement: returns true if another one begins.
  bool begins_statement() {
    static constexpr std::string_view kNext[] = {"insert",  "update",  "delete", "merge", "exec",
                                                 "execute", "declare", "print",  "use"};
    if (begins_definition()) return true;
    return may_end_here_ && is_one_of(kNext) && begins_line();
  }
  void statement() {
    if (is_word("delimiter")) return skip_delimited();
    if (is_word("drop")) return drop();
    if (is_word("alter")) return alter();
    if (is_word("rename")) return rename_tables();
    if (is_word("exec") || is_word("execute")) return procedure();
    if (!is_word("create")) {
      if (is_one_of(kStatements)) return;
      if (!is_name()) return expected("a statement");
      return fail(word().where, "no statement begins with `" + base::escape_for_display(word().text) + "`",
                  grammar::did_you_mean(kStatements, lower_case(word().text)));
    }
    const SourceRange create = word().where;
    next();
    Existing existing = Existing::kError;
    for (const char* word :
         {"or", "replace", "alter", "global", "local", "temp", "temporary", "unlogged", "recursive"}) {
      const bool replaces = is_word("replace") || is_word("alter");
      if (take_word(word) && replaces) existing = Existing::kReplaced;
    }
    const bool is_virtual = is_word("virtual");
    if (is_virtual || is_word("foreign")) {
      next();
      if (!is_word("table")) return;  // CREATE FOREIGN DATA WRAPPER
    }
    take_word("materialized");
    view_settings();
    const bool is_view = is_word("view");
    if (!is_view && !is_word("table")) {
      if (!is_name()) expected("`TABLE`");
      return create_other();
    }
    next();
    may_end_here_ = true;
    if (take_word("if")) {
      if (!take_word("not") || !take_word("exists")) return expected("`NOT EXISTS`");
      existing = Existing::kKept;
    }
    if (is_virtual) {
      virtual_table(create, existing);
    } else {
      table(create, is_view, existing);
    }
  }

  // Reads the statement in the string that is the word.
  void inner_statement() {
    const Place place = here();
    const SourceRange where = word().where;
    const std::string inner = word().text.substr(1, word().text.size() - 2);
    const std::size_t before = definitions_.size();
    enter(inner);
    statement();
    if (has_failed()) error().where = where;
    go_back(place);
    for (std::size_t i = before; i < definitions_.size(); ++i) definitions_[i].where = where;
  }

  // Tables that are dropped are not defined.
  void drop() {
    next();
    for (const char* word : {"temporary", "foreign", "materialized"}) take_word(word);
    const bool is_schema = is_word("schema");
    if (!is_schema && !is_word("table") && !is_word("view")) return;
    next();
    take_if_exists();
    do {
      const std::optional<Table> named = table_name();
      if (!named) return;
      if (is_schema) {
        for (const std::size_t i : std::exchange(in_schema_[key_of(named->name)], {})) {
          Definition& known = definitions_[i];
          if (known.table.schema && key_of(*known.table.schema) == key_of(named->name)) known.is_dropped = true;
        }
      } else if (Definition* const known = find(*named)) {
        known->is_dropped = true;
      }
    } while (take_sign(','));
  }

  // Skips what MySQL has before VIEW, and before PROCEDURE and others: `ALGORITHM = MERGE DEFINER = 'a'@'b' SQL SECURITY
  // INVOKER`.
  void view_settings() {
    static constexpr std::string_view kSettings[] = {"algorithm", "definer", "sql"};
    static constexpr std::string_view kKinds[] = {"view", "procedure", "function", "trigger", "event"};
    if (!is_one_of(kSettings)) return;
    while (!is_end_of_statement() && !is_one_of(kKinds)) next();
  }

  // T-SQL renames by a procedure.
  void procedure() {
    while (!is_end_of_statement() && !is_word("sp_rename")) next();
    if (is_word("sp_rename"))
      fail(word().where, "what is renamed by `sp_rename` cannot be read",
           "write `ALTER TABLE ... RENAME`, or list the tables in JSON");
  }

  // ALTER of a table or a view: what changes names is read, and the rest skipped.
  void alter() {
    const SourceRange alter = word().where;
    next();
    if (is_word("schema")) return alter_schema();
    for (const char* word : {"online", "offline", "ignore", "foreign", "materialized"}) take_word(word);
    view_settings();
    const bool is_view = is_word("view");
    if (!is_view && !is_word("table")) return;
    next();
    const bool may_lack = take_if_exists();
    const bool has_heirs = !take_word("only");
    const Place first = here();
    const std::optional<Table> named = table_name();
    if (!named) return;
    take_sign('*');
    if (is_view && (is_word("as") || is_word("with") || is_sign('('))) {  // defines the view anew
      go_back(first);
      return table(alter, true, Existing::kReplaced);
    }
    const Definition* const known = find(*named);
    if (known == nullptr && may_lack) return;
    Altered altered{*named, known == nullptr ? std::nullopt : std::optional(places_[key_of(*named)]), first.word.where,
                    has_heirs};
    std::string verb;
    bool is_first = true;
    do {
      static constexpr std::string_view kVerbs[] = {"add", "attach", "change", "drop", "inherit", "rename", "set"};
      if (is_one_of(kVerbs)) {
        verb = lower_case(word().text);
        next();
      } else if (is_first && !is_other_action()) {
        if (!is_name()) return expected("what `ALTER TABLE` does");
        return fail(word().where, "there is no `ALTER TABLE ... " + base::escape_for_display(word().text) + "`",
                    grammar::did_you_mean(kVerbs, lower_case(word().text)));
      } else if (is_other_action() || (verb != "add" && verb != "drop")) {
        verb.clear();
      }
      is_first = false;
      if (is_word("partition") && !is_column_named_as_constraint(verb == "drop")) verb.clear();
      action(altered, verb);
      std::size_t depth = 0;
      while (!is_end_of_statement() && !begins_statement() && (depth > 0 || !is_sign(','))) {
        if (is_sign('(')) ++depth;
        if (is_sign(')') && depth > 0) --depth;
        next();
      }
    } while (take_sign(','));
  }

  // The table that ALTER names.
  struct Altered {
    Table named;
    std::optional<std::size_t> place;  // in definitions_
    SourceRange where;
    bool has_heirs;
  };

  // Reads the names of an action of ALTER TABLE, after its first word.
  void action(Altered& altered, std::string_view verb) {
    if (verb == "add" || verb == "drop") return add_or_drop(altered, verb == "add");
    if (verb == "attach" || verb == "inherit") {
      take_word("partition");
      const std::optional<Table> other = table_name();
      if (!other || !altered.place || find(*other) == nullptr) return;
      std::size_t parent = *altered.place;
      std::size_t heir = places_[key_of(*other)];
      if (verb == "inherit") std::swap(parent, heir);
      definitions_[parent].heirs.push_back(heir);
      return;
    }
    if (verb == "set") {
      if (is_word("unused")) return fail(word().where, "`SET UNUSED` cannot be read", "write `DROP COLUMN`");
      if (!take_word("schema")) return;
      Table moved{.schema = name("the schema's name"),
                  .name = altered.place ? definitions_[*altered.place].table.name : altered.named.name};
      if (moved.schema) rename_table(altered, std::move(moved));
      return;
    }
    if (verb == "rename") {
      if (take_word("to") || take_word("as") || take_sign('=')) return rename_to(altered);
      static constexpr std::string_view kParts[] = {"constraint", "index", "key"};
      if (is_one_of(kParts) && !is_ahead([&] { return is_word("to"); })) return;
      // MySQL's `RENAME name`
      const auto is_end_of_name = [&] { return is_sign('.') || is_sign(',') || is_end_of_statement(); };
      if (!take_word("column") && is_ahead(is_end_of_name)) return rename_to(altered);
    } else if (verb == "change") {
      take_word("column");
    } else {
      return;
    }
    const bool may_lack = take_if_exists();
    const SourceRange where = word().where;
    std::optional<Name> from = name("the column's name");
    if (!from) return;
    if (verb == "rename" && !take_word("to")) return expected("`TO`");
    std::optional<Name> to = name("the column's new name");
    if (to) apply({std::move(from), std::move(to), where, may_lack}, altered);
  }

  void add_or_drop(Altered& altered, bool is_add) {
    const bool has_list = is_word("columns") && is_ahead([&] { return is_sign('('); });  // Hive's `ADD COLUMNS (...)`
    const bool is_column = take_word(has_list ? "columns" : "column");
    list_ = word().where;
    const bool is_list = take_sign('(');
    do {
      if (take_word("column") || is_column || !is_one_of(kPartsOfTables) || is_column_named_as_constraint(!is_add)) {
        Change change{.may_lack = take_if_exists()};
        change.where = word().where;
        std::optional<Name>& column = is_add ? change.to : change.from;
        column = name("the column's name");
        if (!column) return;
        apply(change, altered);
      }
      if (is_list && !skip_rest_of_item()) return;
    } while (is_list && take_sign(','));
    if (is_list && !take_sign(')')) expected("`,` or `)`");
  }

  // Changes the columns of a table, and of those that inherit them.
  void apply(const Change& change, const Altered& altered) {
    if (!is_known(altered)) return;
    std::vector<std::size_t> left{*altered.place};
    for (bool is_heir = false; !left.empty() && !has_failed(); is_heir = true) {
      Definition& changed = definitions_[left.back()];
      left.pop_back();
      if (changed.is_dropped || !change_columns(changed, change, is_heir || change.may_lack)) continue;
      if (altered.has_heirs) left.insert(left.end(), changed.heirs.begin(), changed.heirs.end());
    }
  }

  // Returns true if a column of the table was changed.
  bool change_columns(Definition& changed, const Change& change, bool may_lack) {
    std::vector<Name>& columns = changed.table.columns;
    if (changed.columns.empty()) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!is_dropped(columns[i])) changed.columns.emplace(key_of(columns[i]), i);
      }
    }
    const auto refuse = [&](const Name& column, const char* what) {
      if (!may_lack) fail(change.where, "the column " + shown(column) + what + shown(changed.table.name));
      return false;
    };
    const auto from = change.from ? changed.columns.find(key_of(*change.from)) : changed.columns.end();
    if (change.from && from == changed.columns.end()) return refuse(*change.from, " is not in the table ");
    if (change.to && changed.columns.contains(key_of(*change.to)) &&
        (!change.from || key_of(*change.from) != key_of(*change.to)))
      return refuse(*change.to, " is already in the table ");
    if (!change.to && changed.columns.size() == 1) {
      fail(change.where, "the table " + shown(changed.table.name) + " has no other column");
      return false;
    }
    const std::size_t place = change.from ? from->second : columns.size();
    if (change.from) changed.columns.erase(from);
    if (change.to) changed.columns.emplace(key_of(*change.to), place);
    if (place == columns.size()) columns.emplace_back();
    columns[place] = change.to.value_or(Name{});
    return true;
  }

  bool is_known(const Altered& altered) {
    if (altered.place) return true;
    fail(altered.where, "the table " + shown(altered.named.name) + ", whose names this changes, is not defined before",
         "put its definition first, with the same schema");
    return false;
  }

  void rename_to(Altered& altered) {
    std::optional<Table> to = table_name();
    if (!to) return;
    if (!to->schema && altered.place) to->schema = definitions_[*altered.place].table.schema;
    rename_table(altered, *std::move(to));
  }

  void rename_table(Altered& altered, Table to) {
    if (!is_known(altered)) return;
    if (find(to) != nullptr && key_of(to) != key_of(altered.named))
      return fail(altered.where, "there is already a table " + shown(to.name));
    places_.erase(key_of(altered.named));
    place(to, *altered.place);
    Table& table = definitions_[*altered.place].table;
    table.schema = to.schema;
    table.name = to.name;
    altered.named = std::move(to);
  }

  // MySQL's `RENAME TABLE a TO b, c TO d`.
  void rename_tables() {
    next();
    if (is_word("user")) return;
    if (!take_word("table")) take_word("tables");
    const bool may_lack = take_if_exists();
    do {
      const SourceRange where = word().where;
      const std::optional<Table> from = table_name();
      if (!from) return;
      if (!take_word("to")) return expected("`TO`");
      const bool is_defined = find(*from) != nullptr;
      Altered altered{*from, is_defined ? std::optional(places_[key_of(*from)]) : std::nullopt, where, false};
      if (!is_defined && may_lack) {
        if (!table_name()) return;
      } else {
        rename_to(altered);
      }
    } while (take_sign(','));
  }

  void alter_schema() {
    next();
    const std::optional<Name> schema = name("the schema's name");
    if (schema && (is_word("rename") || is_word("transfer")))
      fail(word().where, "a change of a schema's name or tables cannot be read",
           "write the new names in the definitions, or list the tables in JSON");
  }

  // Reads CREATE of something else, if there is such a thing: of a schema the name, of a routine the whole batch, if there
  // are batches. What is left is skipped.
  void create_other() {
    static constexpr std::string_view kKinds[] = {
        "table",        "view",        "index",        "unique",      "trigger",      "function",   "procedure",
        "type",         "sequence",    "schema",       "extension",   "database",     "domain",     "role",
        "user",         "rule",        "policy",       "aggregate",   "cast",         "collation",  "constraint",
        "materialized", "operator",    "publication",  "statistics",  "event",        "virtual",    "foreign",
        "server",       "language",    "trusted",      "procedural",  "text",         "access",     "conversion",
        "default",      "transform",   "subscription", "tablespace",  "group",        "definer",    "algorithm",
        "sql",          "fulltext",    "spatial",      "clustered",   "nonclustered", "synonym",    "login",
        "proc",         "application", "assembly",     "certificate", "columnstore",  "credential", "partition",
        "primary",      "queue",       "security",     "xml"};
    const std::string kind = lower_case(word().text);
    const bool is_routine = kind == "procedure" || kind == "proc" || kind == "function" || kind == "trigger";
    if (is_routine && has_batches()) return skip_batch();
    if (kind == "schema") return schema();
    may_end_here_ = kind == "index" || kind == "unique" || kind == "clustered" || kind == "nonclustered";
    if (has_failed() || is_one_of(kKinds)) return;
    fail(word().where, "there is no `CREATE " + base::escape_for_display(word().text) + "`",
         grammar::did_you_mean(kKinds, kind));
  }

  // Tables of the same statement are in the schema.
  void schema() {
    next();
    take_if_exists();
    may_end_here_ = true;
    if (is_word("authorization")) next();
    schema_ = name("the schema's name");
  }

  std::optional<Table> table_name() {
    Table table;
    std::optional<Name> first = name("the table's name");
    if (!first) return std::nullopt;
    table.name = std::move(*first);
    while (take_sign('.')) {
      std::optional<Name> last = name("the table's name");
      if (!last) return std::nullopt;
      table.schema = std::exchange(table.name, std::move(*last));
    }
    return table;
  }

  // Returns the definition that is in effect, or null.
  Definition* find(const Table& table) {
    const auto known = places_.find(key_of(table));
    return known == places_.end() || definitions_[known->second].is_dropped ? nullptr : &definitions_[known->second];
  }

  // Reads the name of another table and adds its columns, but for those that the table has.
  bool add_columns_of_other(Table& table, bool inherits = false) {
    const SourceRange where = word().where;
    const std::optional<Table> other = table_name();
    if (!other) return false;
    const Definition* const known = find(*other);
    if (known == nullptr) {
      fail(where,
           "the table " + shown(other->name) + ", whose columns " + shown(table.name) + " has, is not defined before",
           "put its definition first");
      return false;
    }
    for (const Name& column : known->table.columns) {
      if (!is_dropped(column) && columns_.insert(key_of(column)).second) table.columns.push_back(column);
    }
    if (inherits) parents_.push_back(static_cast<std::size_t>(known - definitions_.data()));
    return true;
  }

  // What a second definition of a table means.
  enum class Existing : std::uint8_t { kError, kKept, kReplaced };

  void add(Table table, SourceRange create, Existing existing) {
    const std::vector<std::size_t> parents = std::exchange(parents_, {});
    if (!table.schema) table.schema = schema_;
    if (Definition* const known = find(table)) {
      if (existing == Existing::kKept) return;
      if (existing == Existing::kReplaced) {
        known->table = std::move(table);
        known->columns.clear();
        return;
      }
      fail(create, "the table " + shown(table.name) + " is defined twice",
           "a definition with IF NOT EXISTS counts only if it is the first");
      error().notes.push_back({"the first definition", known->where});
      return;
    }
    place(table, definitions_.size());
    for (const std::size_t parent : parents) definitions_[parent].heirs.push_back(definitions_.size());
    definitions_.push_back({std::move(table), create});
  }

  // The table's definition is at `place` in definitions_.
  void place(const Table& table, std::size_t place) {
    places_[key_of(table)] = place;
    if (table.schema) in_schema_[key_of(*table.schema)].push_back(place);
  }

  void table(SourceRange create, bool is_view, Existing existing) {
    std::optional<Table> named = table_name();
    if (!named) return;
    Table table = *std::move(named);
    columns_.clear();
    if (take_word("like")) {
      if (add_columns_of_other(table)) add(std::move(table), create, existing);
      return;
    }
    if (take_word("partition")) {
      if (!take_word("of")) return expected("`OF`");
      if (add_columns_of_other(table, true)) add(std::move(table), create, existing);
      return;
    }
    if (!is_sign('(')) {
      const std::string message = std::string(is_view ? "the view" : "the table") + " `" +
                                  base::escape_for_display(table.name.text) + "` has no list of columns";
      const bool has_settings = is_word("with") || is_word("using") || is_word("on") || is_word("tablespace");
      if (!is_end() && !is_sign(';') && !is_word("as") && !has_settings) return expected("`(`");
      while (!has_failed() && !is_end() && !is_sign(';') && !is_word("as")) next();
      if (!take_word("as") || !columns_of_query(table))
        return fail(create, message, "its columns can be listed in JSON");
      return add(std::move(table), create, existing);
    }
    list_ = word().where;
    has_types_ = false;
    next();
    if (!is_sign(')')) {
      do {
        if (!item(table)) return;
      } while (take_sign(','));
    }
    if (!take_sign(')')) return expected("`,` or `)`");
    if (take_word("inherits")) {
      if (!take_sign('(')) return expected("`(`");
      do {
        if (!add_columns_of_other(table, true)) return;
      } while (take_sign(','));
      if (!take_sign(')')) return expected("`,` or `)`");
    }
    if (!is_view && !more_columns(create, table)) return;
    if (table.columns.empty())
      return fail(create, "the table `" + base::escape_for_display(table.name.text) + "` has no columns");
    add(std::move(table), create, existing);
  }

  // Reads what adds columns after the list: Hive's `PARTITIONED BY (...)`, and MySQL's query. After a list of names alone
  // a query has no other columns.
  bool more_columns(SourceRange create, Table& table) {
    std::size_t depth = 0;
    while (!is_end_of_statement() && !begins_statement()) {
      if (is_sign('(')) ++depth;
      if (is_sign(')') && depth-- == 0) {
        fail(word().where, "this bracket is not opened");
        return false;
      }
      if (take_word("partitioned")) {
        list_ = word().where;
        if (!take_word("by") || !take_sign('(')) continue;
        do {
          const Place first = here();
          const std::optional<Name> column = name("a column");
          if (!column) return false;
          if (columns_.contains(key_of(*column))) {
            if (!skip_rest_of_item()) return false;
            continue;
          }
          go_back(first);
          if (!item(table)) return false;
        } while (take_sign(','));
        take_sign(')');
      } else if (is_word("select") && has_types_) {
        if (columns_of_query(table)) return true;
        fail(create, "the query after the columns of " + shown(table.name) + " has a column without a name",
             "its columns can be listed in JSON");
        return false;
      } else {
        next();
      }
    }
    return !has_failed();
  }

  // Reads a query up to its FROM, and adds its columns. Returns false if one of them has no name that is plain to see: it is
  // no column of another table and has no AS.
  bool columns_of_query(Table& table) {
    while (take_sign('(')) {
    }
    if (take_word("values")) return columns_of_values(table);
    std::size_t depth = 0;
    const auto step = [&] {
      if (is_sign('(')) ++depth;
      if (is_sign(')') && depth > 0) --depth;
      next();
    };
    const auto ends_query = [&] { return has_failed() || is_end() || (is_sign(';') && depth == 0); };
    while (!ends_query() && (depth > 0 || !is_word("select"))) step();
    take_word("select");
    if (!take_word("distinct")) take_word("all");
    if (take_word("on")) {
      do step();
      while (!ends_query() && depth > 0);
    }
    while (!ends_query()) {
      std::array<Word, 2> last;  // words of the column
      std::size_t words = 0;
      const auto ends_column = [&] {
        static constexpr std::string_view kAfter[] = {"union", "intersect", "except", "minus", "where",
                                                      "group", "having",    "order",  "limit", "offset",
                                                      "fetch", "window",    "into"};
        if (is_sign(',') || is_sign(')') || is_word("from")) return true;
        const bool needs_name = last[1].text == "." || lower_case(last[1].text) == "as";
        return words > 0 && !needs_name && is_one_of(kAfter);
      };
      for (; !ends_query() && (depth > 0 || !ends_column()); ++words, step()) {
        last = {std::move(last[1]), word()};
      }
      const auto& [before, end] = last;
      const bool is_named =
          words == 1 || before.text == "." || (before.kind == Kind::kName && lower_case(before.text) == "as");
      const bool has_name = end.kind == Kind::kName || end.kind == Kind::kQuoted;
      Name column{end.text, end.kind == Kind::kQuoted};
      if (!is_named || !has_name || !is_possible(column)) return false;
      if (columns_.insert(key_of(column)).second) table.columns.push_back(std::move(column));
      if (!take_sign(',')) break;
    }
    return !has_failed() && !table.columns.empty();
  }

  // Those of `VALUES (1, 2)` are `column1` and `column2`.
  bool columns_of_values(Table& table) {
    list_ = word().where;
    if (!take_sign('(')) return false;
    do {
      table.columns.push_back({"column" + std::to_string(table.columns.size() + 1), false});
      if (!skip_rest_of_item()) return false;
    } while (take_sign(','));
    return true;
  }

  // Reads SQLite's `name USING module(argument, ...)`. The module decides which columns there are.
  void virtual_table(SourceRange create, Existing existing) {
    std::optional<Table> named = table_name();
    if (!named) return;
    Table table = *std::move(named);
    columns_.clear();
    if (!take_word("using")) return expected("`USING`");
    const std::optional<Name> named_module = name("the module's name");
    if (!named_module) return;
    const std::string module = lower_case(named_module->text);
    list_ = word().where;
    if (take_sign('(') && !take_sign(')')) {
      do {
        if (!argument(table, module)) return;
      } while (take_sign(','));
      if (!take_sign(')')) return expected("`,` or `)`");
    }
    const auto also = [&](std::string_view column) {
      if (columns_.insert(std::string(column)).second) table.columns.push_back({std::string(column), false});
    };
    const bool is_text = module == "fts3" || module == "fts4" || module == "fts5";
    if (is_text) {
      if (table.columns.empty()) also("content");
      // The name of the table is a column, too: `WHERE documents MATCH 'word'`.
      if (columns_.insert(key_of(table.name)).second) table.columns.push_back(table.name);
      also(module == "fts5" ? "rank" : "docid");
    } else if (module == "geopoly") {
      also("_shape");
    } else if (module == "vec0") {
      also("distance");
      also("k");
    } else if (module != "rtree" && module != "rtree_i32") {
      return fail(create,
                  "the columns of the virtual table " + shown(table.name) + " are known to its module " +
                      shown(*named_module) + " alone",
                  "list the tables in JSON");
    }
    if (table.columns.empty()) return fail(create, "the table " + shown(table.name) + " has no columns");
    add(std::move(table), create, existing);
  }

  // Reads an argument of a module, to the comma or bracket after it: a column, perhaps with a type, or `option=value`.
  bool argument(Table& table, std::string_view module) {
    take_sign('+');  // a column of an R*Tree beside its coordinates
    const Word first = word();
    const bool may_be_column = first.kind == Kind::kName || first.kind == Kind::kQuoted || is_literal();
    if (may_be_column) next();
    const bool is_option = !may_be_column || is_sign('=') || (module != "fts5" && lower_case(first.text) == "tokenize");
    if (!is_option) {
      Name column{first.kind == Kind::kOther ? first.text.substr(1, first.text.size() - 2) : first.text,
                  first.kind != Kind::kName};
      if (!is_possible(column)) {
        fail(first.where, "this cannot be a name: it is empty or has a control character");
        return false;
      }
      if (columns_.insert(key_of(column)).second) table.columns.push_back(std::move(column));
    }
    return skip_rest_of_item();
  }

  // Reads a column or a constraint, to the comma or bracket after it.
  bool item(Table& table) {
    const SourceRange where = word().where;
    if (take_word("like")) return add_columns_of_other(table) && skip_rest_of_item();
    if (!is_one_of(kConstraints) || is_column_named_as_constraint()) {
      std::optional<Name> column = name("a column or a constraint");
      if (!column) return false;
      if (!columns_.insert(key_of(*column)).second) {
        fail(where, "the column `" + base::escape_for_display(column->text) + "` is defined twice");
        return false;
      }
      table.columns.push_back(std::move(*column));
      has_types_ = has_types_ || (!is_sign(',') && !is_sign(')'));
      const bool is_sign_of_list = is_sign(',') || is_sign(')') || is_end_of_statement();
      if (word().kind == Kind::kOther && !is_sign_of_list && !is_string()) {
        expected("the column's type");
        return false;
      }
    }
    return skip_rest_of_item();
  }

  // Words that begin a constraint, or another part of a table, are also names of columns, if nobody reserves them. Then a
  // type follows, or nothing: after the name of an index come names of columns in brackets, or how it is made.
  bool is_column_named_as_constraint(bool is_drop = false) {
    static constexpr std::string_view kReserved[] = {"check", "constraint", "default", "foreign", "primary", "unique"};
    if (is_one_of(kReserved)) return false;
    const std::string kind = lower_case(word().text);
    return is_ahead([&] {
      static constexpr std::string_view kMethods[] = {"using", "clustered", "nonclustered"};
      static constexpr std::string_view kPartitions[] = {"by", "if", "partitions"};
      if (!is_name()) return is_sign(',') || is_sign(')') || is_end_of_statement();
      if (is_drop) return is_word("cascade") || is_word("restrict");
      if (kind == "period") return !is_word("for");
      if (kind == "system") return !is_word("versioning");
      if (kind == "partition") {
        if (is_one_of(kPartitions)) return false;
        next();
        return !is_word("values");
      }
      if (is_one_of(kMethods) || ((kind == "fulltext" || kind == "spatial") && (is_word("key") || is_word("index"))))
        return false;
      next();
      if (is_one_of(kMethods)) return false;
      return !take_sign('(') || (word().kind == Kind::kOther && !is_sign('('));
    });
  }

  bool skip_rest_of_item() {
    std::vector<SourceRange> open{list_};
    // A square bracket counts like a round one, and so does an angle in types such as `MAP<INT, STRING>`.
    static constexpr std::string_view kTypes[] = {"array", "map", "row", "struct"};
    const auto is_in_type = [&] { return text()[open.back().start] == '<'; };
    bool is_type = false;  // one of these was before the word
    while (!has_failed() && (open.size() > 1 || (!is_sign(',') && !is_sign(')')))) {
      if (is_end() || (is_sign(';') && open.size() == 1)) {
        fail(open.back(), "this bracket is not closed");
        return false;
      }
      if (is_sign('(') || is_sign('[') || (is_type && is_sign('<'))) open.push_back(word().where);
      if (is_sign(')') || (is_sign(']') && open.size() > 1) || (is_sign('>') && is_in_type())) open.pop_back();
      is_type = is_one_of(kTypes);
      next();
    }
    return !has_failed();
  }

  bool any_case_;               // names in quotes also mean names in other letters
  SourceRange list_;            // the bracket that begins the columns of the table that is being read
  std::optional<Name> schema_;  // of `CREATE SCHEMA s CREATE TABLE t (...)`
  bool may_end_here_ = false;   // the statement that is being read may end without `;`
  bool has_types_ = false;      // some column of the table that is being read has a type
  std::vector<Definition> definitions_;
  std::unordered_map<std::string, std::size_t> places_;                  // in definitions_, by key_of
  std::unordered_map<std::string, std::vector<std::size_t>> in_schema_;  // those that a schema has or had
  std::unordered_set<std::string> columns_;                              // of the table that is being read
  std::vector<std::size_t> parents_;                                     // those whose columns that one inherits
};

std::optional<std::vector<Table>> read_json(std::string_view text, bool any_case, Reading& reading) {
  const auto refuse = [&](SourceRange where, std::string message) {
    return reading.fail({ErrorCode::kInvalidArgument, std::move(message), where});
  };
  auto document = base::JsonDocument::parse(text, reading.limits);
  if (!document) return reading.fail(std::move(document.error()));
  if (!document->duplicate_keys().empty()) {
    return refuse(document->duplicate_keys().front().overriding, "a table is listed twice");
  }
  std::vector<Table> tables;
  std::unordered_set<std::string> names;
  for (const base::JsonMember& member : document->root().members()) {
    Table table{.name = {std::string(member.key), true}};
    if (!names.insert(key_of_name(table.name, any_case)).second)
      return refuse(member.key_where, "a table is listed twice");
    std::unordered_set<std::string> columns;
    if (!member.value.is(base::JsonType::kArray))
      return refuse(member.value.where(), "the columns of a table must be an array");
    for (const base::JsonValue& column : member.value.items()) {
      if (!column.is(base::JsonType::kString)) return refuse(column.where(), "a column must be a string");
      Name name{std::string(column.string()), true};
      if (!columns.insert(key_of_name(name, any_case)).second)
        return refuse(column.where(), "a column is listed twice");
      if (!is_possible(name))
        return refuse(column.where(), "this cannot be a name: it is empty or has a control character");
      table.columns.push_back(std::move(name));
    }
    if (!is_possible(table.name))
      return refuse(member.key_where, "this cannot be a name: it is empty or has a control character");
    if (table.columns.empty()) return refuse(member.value.where(), "a table must have a column");
    tables.push_back(std::move(table));
  }
  if (tables.empty()) return refuse(document->root().where(), "there must be a table");
  return tables;
}

}  // namespace

std::optional<std::vector<Table>> read_tables(std::string_view text, bool any_case, Reading& reading) {
  if (auto checked = check_text(text, reading.limits); !checked) return reading.fail(std::move(checked.error()));
  const std::size_t first = text.find_first_not_of(base::kBlanks, text.starts_with(kByteOrderMark) ? 3 : 0);
  if (first != std::string_view::npos && text[first] == '{') return read_json(text, any_case, reading);
  const auto has = [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; };
  bool is_mysql = has("/*!") || has("ENGINE=");
  // Is a quote after a backslash the string's end, or within it?
  if (!is_mysql && has("\\'")) {
    is_mysql = !DefinitionWords::are_strings_closed(text, false) && DefinitionWords::are_strings_closed(text, true);
  }
  DefinitionReader reader(text, is_mysql, any_case);
  std::optional<std::vector<Table>> tables = reader.read();
  if (!tables) return reading.fail(std::move(reader.error()));
  return tables;
}

}  // namespace weir::frontend::sql
