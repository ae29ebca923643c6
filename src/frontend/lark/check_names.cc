#include "frontend/lark/check_names.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "frontend/lark/common.h"
#include "grammar/suggest.h"

namespace weir::frontend::lark {

namespace {

class NameCheck {
 public:
  NameCheck(const SyntaxTree& tree, const Module& module, std::vector<Error>& errors)
      : tree_(tree), module_(module), errors_(errors) {
    for (const Definition& definition : module.definitions) known_.emplace_back(definition.name);
  }

  // Checks the names in the body at node `root`. `owner` is the definition that the body belongs to; null for bodies of
  // %ignore and of suffixes.
  void check(std::uint32_t root, const Definition* owner) {
    nodes_.clear();
    list_nodes(tree_, root, nodes_);
    for (const std::uint32_t id : nodes_) {
      const Node& node = tree_.nodes[id];
      if (node.kind == NodeKind::kName) check_name(node, owner);
      const bool has_parameter = owner != nullptr && owner->is_parametric;
      if (node.kind == NodeKind::kGuard && !has_parameter) {
        fail(node.where, "`%if` in a definition without a parameter",
             "a rule with a parameter is written `name::_ : ...`");
      }
    }
  }

 private:
  void fail(SourceRange where, std::string message, std::string hint) {
    errors_.push_back({ErrorCode::kInvalidArgument, std::move(message), where, std::move(hint), {}});
  }

  void check_name(const Node& node, const Definition* owner) {
    const std::string_view name = module_.text.substr(node.where.start, node.where.end - node.where.start);
    const std::string shown = "`" + std::string(name) + "`";
    if (owner != nullptr && std::count(owner->template_names.begin(), owner->template_names.end(), name) > 0) {
      if (node.child_count > 0 || node.index != Node::kNone) fail(node.where, shown + " has no parameters here", {});
      return;
    }
    const auto found = module_.names.find(name);
    if (found == module_.names.end()) {
      fail(node.where, shown + " is not defined", grammar::did_you_mean(known_, name));
      Error& error = errors_.back();
      if (std::string nearest = grammar::nearest_name(known_, name); !nearest.empty()) {
        error.fix = Fix{node.where, std::move(nearest)};
      }
      if (is_common_terminal(name)) error.hint = "is `%import common." + std::string(name) + "` missing?";
      return;
    }
    check_parameters(node, module_.definitions[found->second], owner, shown);
  }

  void check_parameters(const Node& node, const Definition& definition, const Definition* owner,
                        const std::string& shown) {
    const std::size_t wanted = definition.template_names.size();
    if (node.child_count != wanted) {
      return fail(node.where,
                  shown + " has " + std::to_string(wanted) + " template parameter" + (wanted == 1 ? "" : "s") +
                      "; arguments given: " + std::to_string(node.child_count),
                  {});
    }
    if (definition.is_parametric != (node.index != Node::kNone)) {
      return fail(node.where, definition.is_parametric ? shown + " has a parameter" : shown + " has no parameter",
                  definition.is_parametric ? "write `" + definition.name + "::_` or `" + definition.name + "::0`"
                                           : "it would be defined as `" + definition.name + "::_ : ...`");
    }
    if (node.index == Node::kNone) return;
    const ParameterExpr& parameter = tree_.parameters[node.index];
    if (parameter.kind != ParameterExpr::Kind::kConstant && (owner == nullptr || !owner->is_parametric)) {
      fail(parameter.where, "this is computed from a parameter, but there is none here",
           "give it a number, as in `name::0`");
    }
  }

  const SyntaxTree& tree_;
  const Module& module_;
  std::vector<Error>& errors_;
  std::vector<std::string_view> known_;
  std::vector<std::uint32_t> nodes_;
};

}  // namespace

void list_nodes(const SyntaxTree& tree, std::uint32_t root, std::vector<std::uint32_t>& out) {
  std::size_t next = out.size();
  out.push_back(root);
  for (; next < out.size(); ++next) {
    const auto children = tree.children_of(tree.nodes[out[next]]);
    out.insert(out.end(), children.begin(), children.end());
  }
}

void check_names(const SyntaxTree& tree, const Module& module, std::vector<Error>& errors) {
  NameCheck check(tree, module, errors);
  for (const Definition& definition : module.definitions) {
    const bool has_body = definition.common_name.empty() && !definition.is_broken && !definition.is_declared;
    if (has_body) check.check(definition.body, &definition);
    if (definition.attributes.suffix) check.check(*definition.attributes.suffix, nullptr);
  }
  for (const std::uint32_t body : module.ignored) check.check(body, nullptr);
  for (const std::uint32_t body : module.longest) check.check(body, nullptr);
}

}  // namespace weir::frontend::lark
