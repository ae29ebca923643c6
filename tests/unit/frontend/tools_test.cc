// Tools as structural tags: the texts of each style, the choice of a tool, and tools that are refused.
#include "weir/tools.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "distinct_styles.h"
#include "unit/engine/engine_testing.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

constexpr std::string_view kTools = R"([
  {"type": "function", "function": {"name": "get_time", "parameters": {"type": "object", "properties":
    {"zone": {"type": "string"}, "hours": {"type": "integer"}}, "required": ["zone"], "additionalProperties": false}}},
  {"type": "function", "name": "stop"}])";

/// A grammar of the tool calls of a style, for the built-in tokenizer; no token of the tags is treated as special.
class Style {
 public:
  explicit Style(std::string_view name, const ToolOptions& options = {}) {
    const Result<std::string> tag = structural_tag_for_tools(name, kTools, options);
    EXPECT_TRUE(tag.has_value()) << name << ": " << tag.error().message;
    StructuralTagOptions plain;
    plain.special_tokens = {"<none>"};  // so the names of tokens in the tags are text
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(*tag, plain);
    EXPECT_TRUE(compiled.has_value()) << name << ": " << compiled.error().message << "\n" << *tag;
    compiled_ = *compiled;
  }

  [[nodiscard]] bool accepts(std::string_view text) const {
    GrammarMatcher matcher(*compiled_);
    return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
  }

  /// Returns the names of the captures of a text.
  [[nodiscard]] std::vector<std::string> captures(std::string_view text) const {
    std::vector<std::string> names;
    for (const Capture& capture : captures_of(text)) names.push_back(capture.name);
    return names;
  }
  /// Returns the text of the first capture with this name, or an empty string if there is none.
  [[nodiscard]] std::string captured(std::string_view text, std::string_view name) const {
    for (const Capture& capture : captures_of(text)) {
      if (capture.name == name) return std::string(text.substr(capture.begin, capture.end - capture.begin));
    }
    return {};
  }

 private:
  [[nodiscard]] std::vector<Capture> captures_of(std::string_view text) const {
    GrammarMatcher matcher(*compiled_);
    EXPECT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
    return matcher.captures();
  }

  std::optional<CompiledGrammar> compiled_;
};

struct Written {
  const char* style;
  const char* time;  // a call of get_time
  const char* stop;  // a call of stop
  const char* both;  // get_time and stop; null if the style allows only one call
};

const Written kForms[] = {
    {"llama3", R"({"name": "get_time", "parameters": {"zone": "x"}})", R"({"name": "stop", "parameters": {}})",
     nullptr},
    {"hermes", "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}\n</tool_call>",
     "<tool_call>\n{\"name\": \"stop\", \"arguments\": {}}\n</tool_call>",
     "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}\n</tool_call>\n"
     "<tool_call>\n{\"name\": \"stop\", \"arguments\": {}}\n</tool_call>"},
    {"qwen_coder",
     "<tool_call>\n<function=get_time>\n<parameter=zone>\nx\n</parameter>\n<parameter=hours>\n3\n</parameter>\n"
     "</function>\n</tool_call>",
     "<tool_call>\n<function=stop>\n</function>\n</tool_call>",
     "<tool_call>\n<function=get_time>\n<parameter=zone>\nx\n</parameter>\n</function>\n</tool_call>\n"
     "<tool_call>\n<function=stop>\n</function>\n</tool_call>"},
    {"mistral", R"([TOOL_CALLS] [{"name": "get_time", "arguments": {"zone": "x"}, "id": "a1B2c3D4e"}])",
     R"([TOOL_CALLS][{"name": "stop", "arguments": {}}])",
     R"([TOOL_CALLS] [{"name": "get_time", "arguments": {"zone": "x"}}, {"name": "stop", "arguments": {}}])"},
    {"deepseek_v3",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time\n```json\n{\"zone\": \"x\"}\n```"
     "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>stop\n```json\n{}\n```"
     "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time\n```json\n{\"zone\": \"x\"}\n```"
     "<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>stop\n```json\n{}\n```"
     "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
    {"deepseek_v3_1",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_time<｜tool▁sep｜>{\"zone\": \"x\"}<｜tool▁call▁end｜>"
     "<｜tool▁calls▁end｜>",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>stop<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
     "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_time<｜tool▁sep｜>{\"zone\": \"x\"}<｜tool▁call▁end｜>"
     "<｜tool▁call▁begin｜>stop<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"},
    {"glm",
     "<tool_call>get_time\n<arg_key>zone</arg_key>\n<arg_value>x</arg_value>\n<arg_key>hours</arg_key>\n"
     "<arg_value>3</arg_value>\n</tool_call>",
     "<tool_call>stop\n</tool_call>",
     "<tool_call>get_time\n<arg_key>zone</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n"
     "<tool_call>stop\n</tool_call>"},
    {"kimi_k2",
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_time:0<|tool_call_argument_begin|>{\"zone\": \"x\"}"
     "<|tool_call_end|><|tool_calls_section_end|>",
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.stop:12<|tool_call_argument_begin|>{}"
     "<|tool_call_end|><|tool_calls_section_end|>",
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_time:0<|tool_call_argument_begin|>{\"zone\": \"x\"}"
     "<|tool_call_end|><|tool_call_begin|>functions.stop:1<|tool_call_argument_begin|>{}"
     "<|tool_call_end|><|tool_calls_section_end|>"},
    {"minimax_m2",
     "<minimax:tool_call>\n<invoke name=\"get_time\">\n<parameter name=\"zone\">x</parameter>\n"
     "<parameter name=\"hours\">3</parameter>\n</invoke>\n</minimax:tool_call>",
     "<minimax:tool_call>\n<invoke name=\"stop\">\n</invoke>\n</minimax:tool_call>",
     "<minimax:tool_call>\n<invoke name=\"get_time\">\n<parameter name=\"zone\">x</parameter>\n</invoke>\n"
     "<invoke name=\"stop\">\n</invoke>\n</minimax:tool_call>"},
    {"deepseek_v3_2",
     "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_time\">\n<｜DSML｜parameter name=\"zone\" string=\"true\">x"
     "</｜DSML｜parameter>\n<｜DSML｜parameter name=\"hours\" string=\"false\">3</｜DSML｜parameter>\n"
     "</｜DSML｜invoke>\n</｜DSML｜function_calls>",
     "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"stop\">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
     "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_time\">\n<｜DSML｜parameter name=\"zone\" string=\"true\">x"
     "</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke "
     "name=\"stop\">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>"},
    {"deepseek_v4",
     "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"get_time\">\n<｜DSML｜parameter name=\"zone\" string=\"true\">x"
     "</｜DSML｜parameter>\n<｜DSML｜parameter name=\"hours\" string=\"false\">3</｜DSML｜parameter>\n"
     "</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
     "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"stop\">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>",
     "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"get_time\">\n<｜DSML｜parameter name=\"zone\" string=\"true\">x"
     "</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke "
     "name=\"stop\">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>"},
    {"deepseek_v4_1",
     "<｜DSML｜ calls>\n<｜DSML｜ invoke name=\"get_time\">\n<｜DSML｜ parameter name=\"zone\" string=\"true\">x"
     "</｜DSML｜ parameter>\n<｜DSML｜ parameter name=\"hours\" string=\"false\">3</｜DSML｜ parameter>\n"
     "</｜DSML｜ invoke>\n</｜DSML｜ calls>",
     "<｜DSML｜ calls>\n<｜DSML｜ invoke name=\"stop\">\n</｜DSML｜ invoke>\n</｜DSML｜ calls>",
     "<｜DSML｜ calls>\n<｜DSML｜ invoke name=\"get_time\">\n<｜DSML｜ parameter name=\"zone\" string=\"true\">x"
     "</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n<｜DSML｜ invoke name=\"stop\">\n</｜DSML｜ invoke>\n</｜DSML｜ "
     "calls>"},
    {"kimi_k3",
     "<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool=\"get_time\" index=\"1\"<|sep|>"
     "<|open|>argument key=\"zone\" type=\"string\"<|sep|>x<|close|>argument<|sep|>"
     "<|open|>argument key=\"hours\" type=\"number\"<|sep|>3<|close|>argument<|sep|>"
     "<|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>",
     "<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool=\"stop\" index=\"1\"<|sep|><|close|>call<|sep|>"
     "<|close|>tools<|sep|><|close|>message<|sep|>",
     "Well.<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool=\"get_time\" index=\"1\"<|sep|>"
     "<|open|>argument key=\"zone\" type=\"string\"<|sep|>x<|close|>argument<|sep|><|close|>call<|sep|>"
     "<|open|>call tool=\"stop\" index=\"2\"<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>"},
    {"cohere",
     "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"get_time\", \"parameters\": {\"zone\": "
     "\"x\"}}\n"
     "]<|END_ACTION|>",
     "<|START_ACTION|>[\n    {\"tool_call_id\": \"12\", \"tool_name\": \"stop\", \"parameters\": {}}\n]<|END_ACTION|>",
     "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"get_time\", \"parameters\": {\"zone\": "
     "\"x\"}},\n"
     "    {\"tool_call_id\": \"1\", \"tool_name\": \"stop\", \"parameters\": {}}\n]<|END_ACTION|>"},
    {"cohere_xml",
     "<cofl:tool_calls><cofl:tool_call id=\"0\" name=\"get_time\"><cofl:value name=\"zone\" type=\"raw\">x</cofl:value>"
     "<cofl:value name=\"hours\" type=\"json\">3</cofl:value></cofl:tool_call></cofl:tool_calls>",
     "<cofl:tool_calls><cofl:tool_call id=\"12\" name=\"stop\"></cofl:tool_call></cofl:tool_calls>",
     "<cofl:tool_calls><cofl:tool_call id=\"0\" name=\"get_time\"><cofl:value name=\"zone\" type=\"raw\">x</cofl:value>"
     "</cofl:tool_call><cofl:tool_call id=\"1\" name=\"stop\"></cofl:tool_call></cofl:tool_calls>"},
    {"gemma4", "<|tool_call>call:get_time{hours:3,zone:<|\"|>x<|\"|>}<tool_call|>",
     "<|tool_call>call:stop{}<tool_call|>",
     "<|tool_call>call:get_time{zone:<|\"|>x<|\"|>}<tool_call|><|tool_call>call:stop{}<tool_call|>"},
    {"mistral_v11", "[TOOL_CALLS]get_time[ARGS]{\"zone\": \"x\"}", "[TOOL_CALLS]stop[CALL_ID]a1B2c3D4e[ARGS]{}",
     "[TOOL_CALLS]get_time[ARGS]{\"zone\": \"x\"}[TOOL_CALLS]stop[ARGS]{}"},
    {"minimax_m3",
     "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_time\">]<]minimax[>[<zone>x]<]minimax[>[</zone>"
     "]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
     "]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"stop\">]<]minimax[>[</invoke>]<]minimax[>[</tool_call>",
     "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_time\">]<]minimax[>[<zone>x]<]minimax[>[</zone>"
     "]<]minimax[>[</invoke>\n]<]minimax[>[<invoke name=\"stop\">]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>"},
    {"hunyuan",
     "<tool_calls>\n<tool_call>get_time<tool_sep>\n<arg_key>zone</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n"
     "</tool_calls>",
     "<tool_calls><tool_call>stop<tool_sep></tool_call></tool_calls>",
     "<tool_calls>\n<tool_call>get_time<tool_sep>\n<arg_key>zone</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n"
     "<tool_call>stop<tool_sep></tool_call>\n</tool_calls>"},
    {"granite", "<|tool_call|>[{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}]",
     "<|tool_call|> [{\"name\": \"stop\", \"arguments\": {}}]",
     "<|tool_call|>[{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}, {\"name\": \"stop\", \"arguments\": "
     "{}}]"},
    {"seed_oss", "<seed:tool_call>\n<function=get_time>\n<parameter=zone>x</parameter>\n</function>\n</seed:tool_call>",
     "<seed:tool_call>\n<function=stop>\n</function>\n</seed:tool_call>",
     "<seed:tool_call>\n<function=get_time>\n<parameter=zone>x</parameter>\n</function>\n</seed:tool_call>\n"
     "<seed:tool_call>\n<function=stop>\n</function>\n</seed:tool_call>"},
    {"longcat", "<longcat_tool_call>{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}</longcat_tool_call>",
     "<longcat_tool_call>\n{\"name\": \"stop\", \"arguments\": {}}\n</longcat_tool_call>",
     "<longcat_tool_call>{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}</longcat_tool_call>\n"
     "<longcat_tool_call>{\"name\": \"stop\", \"arguments\": {}}</longcat_tool_call>"},
    {"longcat_xml",
     "<longcat_tool_call>get_time\n<longcat_arg_key>zone</longcat_arg_key>\n<longcat_arg_value>x</longcat_arg_value>\n"
     "</longcat_tool_call>",
     "<longcat_tool_call>stop</longcat_tool_call>",
     "<longcat_tool_call>get_time<longcat_arg_key>zone</longcat_arg_key><longcat_arg_value>x</longcat_arg_value>"
     "</longcat_tool_call>\n<longcat_tool_call>stop\n</longcat_tool_call>"},
    {"phi4_mini", R"(functools[{"name": "get_time", "arguments": {"zone": "x"}}])",
     R"(functools[{"name": "stop", "arguments": {}}])",
     R"(functools[{"name": "get_time", "arguments": {"zone": "x"}}, {"name": "stop", "arguments": {}}])"},
    {"lfm2", "<|tool_call_start|>[get_time(zone=\"x\")]<|tool_call_end|>",
     "<|tool_call_start|>[stop()]<|tool_call_end|>",
     "<|tool_call_start|>[get_time(zone='x'), stop()]<|tool_call_end|>"},
    {"pythonic", "[get_time(zone=\"x\")]", "[stop()]", "[get_time(zone='x'), stop()]"},
    {"llama4_pythonic", "<|python_start|>[get_time(zone=\"x\")]<|python_end|>",
     "<|python_start|>[stop()]<|python_end|>", "<|python_start|>[get_time(zone='x'), stop()]<|python_end|>"},
    {"olmo3", "<function_calls>get_time(zone=\"x\")</function_calls>", "<function_calls>\nstop()\n</function_calls>",
     "<function_calls>get_time(zone='x')\nstop()</function_calls>"},
    {"minicpm5", "<function name=\"get_time\"><param name=\"zone\">x</param></function>",
     "<function name=\"stop\"></function>",
     "<function name=\"get_time\">\n<param name=\"zone\">x</param>\n</function>\n<function name=\"stop\"></function>"},
    {"gigachat3", "<|function_call|>{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}",
     "<|message_sep|>\n\nfunction call<|role_sep|>\n{\"name\": \"stop\", \"arguments\": {}}",
     "<|function_call|>{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}\n"
     "<|function_call|>{\"name\": \"stop\", \"arguments\": {}}"},
    {"apertus", "<|tools_prefix|>[{\"get_time\": {\"zone\": \"x\"}}]<|tools_suffix|>",
     "<|tools_prefix|>[{\"stop\": {}}]<|tools_suffix|>",
     "<|tools_prefix|>[{\"get_time\": {\"zone\": \"x\"}}, {\"stop\": {}}]<|tools_suffix|>"},
    {"granite_20b_fc", "<function_call> {\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}",
     "<function_call> {\"name\": \"stop\", \"arguments\": {}}",
     "<function_call> {\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}\n"
     "<function_call> {\"name\": \"stop\", \"arguments\": {}}"},
    {"step3",
     "<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_time\">\n"
     "<steptml:parameter "
     "name=\"zone\">x</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>",
     "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"stop\"></steptml:invoke>"
     "<｜tool_call_end｜><｜tool_calls_end｜>",
     "<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_time\">\n"
     "<steptml:parameter "
     "name=\"zone\">x</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_call_begin｜>"
     "function<｜tool_sep｜><steptml:invoke name=\"stop\"></steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>"},
    {"functiongemma", "<start_function_call>call:get_time{zone:<escape>x<escape>}<end_function_call>",
     "<start_function_call>call:stop{}<end_function_call>",
     "<start_function_call>call:get_time{zone:<escape>x<escape>}<end_function_call>"
     "<start_function_call>call:stop{}<end_function_call>"},
    {"hunyuan_a13b", "<tool_calls>[{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}]</tool_calls>",
     "<tool_calls>[\n{\"name\": \"stop\", \"arguments\": {}}\n]</tool_calls>",
     "<tool_calls>[{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}, {\"name\": \"stop\", \"arguments\": "
     "{}}]</tool_calls>"},
    {"internlm2", "<|action_start|><|plugin|>{\"name\": \"get_time\", \"parameters\": {\"zone\": \"x\"}}<|action_end|>",
     "<|action_start|> <|plugin|>\n{\"name\": \"stop\", \"arguments\": {}}<|action_end|>",
     "<|action_start|><|plugin|>{\"name\": \"get_time\", \"parameters\": {\"zone\": \"x\"}}<|action_end|>"
     "<|action_start|><|plugin|>{\"name\": \"stop\", \"parameters\": {}}<|action_end|>"},
    {"inkling",
     "get_time<|content_invoke_tool_json|>{\"name\":\"get_time\",\"args\":{\"zone\":\"x\"}}<|end_message|>"
     "<|content_model_end_sampling|>",
     "<|content_invoke_tool_json|>{\"name\": \"stop\", \"args\": {}}<|end_message|>",
     "<|content_invoke_tool_json|>{\"name\":\"get_time\",\"args\":{\"zone\":\"x\"}}<|end_message|>"
     "<|message_model|>stop<|content_invoke_tool_json|>{\"name\":\"stop\",\"args\":{}}<|end_message|>"},
    {"xlam", R"([{"name": "get_time", "arguments": {"zone": "x"}}])", R"([{"name": "stop", "arguments": {}}])",
     R"([{"name": "get_time", "arguments": {"zone": "x"}},
 {"name": "stop", "arguments": {}}])"},
    {"nemotron_nano_v2", "<TOOLCALL>[{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}]</TOOLCALL>",
     "<TOOLCALL>[{\"name\": \"stop\", \"arguments\": {}}]</TOOLCALL>",
     "<TOOLCALL>[{\"name\": \"get_time\", \"arguments\": {\"zone\": \"x\"}}, {\"name\": \"stop\", \"arguments\": "
     "{}}]</TOOLCALL>"},
    {"harmony",
     "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.get_time "
     "<|constrain|>json<|message|>{\"zone\": \"x\"}",
     "<|channel|>commentary to=functions.stop <|constrain|>json<|message|>{}", nullptr},
};

// Made from another style, too, but with tags of its own.
const Written kDots{"dots",
                    "<dots_function_call>\n<invoke name=\"get_time\">\n<parameter "
                    "name=\"zone\">x</parameter>\n</invoke>\n</dots_function_call>",
                    "<dots_function_call><invoke name=\"stop\"/></dots_function_call>",
                    "<dots_function_call><invoke name=\"get_time\"><parameter name=\"zone\">x</parameter></invoke>"
                    "<invoke name=\"stop\"></invoke></dots_function_call>"};

// Names of models that write the form of another style, and then that style.
constexpr std::array kLikeOthers{
    std::pair{"granite3_3", "granite"},
    std::pair{"granite4", "hermes"},
    std::pair{"granite_thinking", "qwen_coder"},
    std::pair{"exaone", "hermes"},
    std::pair{"ernie4_5", "hermes"},
    std::pair{"reka_edge", "hermes"},
    std::pair{"ling3", "glm"},
    std::pair{"poolside_v1", "glm"},
    std::pair{"spark", "glm"},
    std::pair{"mimo", "qwen_coder"},
    std::pair{"nemotron_v3", "qwen_coder"},
    std::pair{"step3p5", "qwen_coder"},
    std::pair{"hy_v3", "hunyuan"},
    std::pair{"jamba", "hunyuan_a13b"},
    std::pair{"apriel", "hunyuan_a13b"},
    std::pair{"firefunction_v2", "phi4_mini"},
};

// In the order of tool_styles(), of which harmony is the last.
const std::vector<Written> kWritten = [] {
  std::vector<Written> all(std::begin(kForms), std::end(kForms));
  for (const auto& [style, form] : kLikeOthers) {
    Written one = *std::ranges::find(kForms, std::string_view(form), &Written::style);
    one.style = style;
    all.insert(std::prev(all.end()), one);
  }
  all.insert(std::prev(all.end()), kDots);
  return all;
}();

const char* answer(std::string_view style) {
  if (style == "harmony") return "<|channel|>final<|message|>yes";
  if (style == "kimi_k3") return "yes<|close|>response<|sep|><|close|>message<|sep|>";
  if (style == "cohere_xml") return "<|START_TEXT|>yes<|END_TEXT|>";
  if (style == "inkling") return "<|content_text|>yes<|end_message|>";
  return style == "cohere" ? "<|START_RESPONSE|>yes<|END_RESPONSE|>" : "yes";
}

TEST(Tools, EveryStyleIsTested) {
  std::vector<std::string_view> tested;
  for (const Written& written : kWritten) tested.emplace_back(written.style);
  EXPECT_EQ(tool_styles(), tested);
}

TEST(Tools, AutoIsTextOrCalls) {
  for (const Written& written : kWritten) {
    const Style style(written.style);
    EXPECT_TRUE(style.accepts(answer(written.style))) << written.style;
    EXPECT_TRUE(style.accepts(written.time)) << written.time;
    EXPECT_TRUE(style.accepts(written.stop)) << written.stop;
    if (written.both != nullptr) {
      EXPECT_TRUE(style.accepts(written.both)) << written.both;
    }
    std::string other = written.stop;
    other.replace(other.find("stop"), 4, "step");
    const std::string_view name = written.style;
    const bool is_text = name == "pythonic" || name == "xlam";  // a list that calls no tool
    EXPECT_EQ(style.accepts(other), is_text) << other;
    std::string without_zone = written.time;
    without_zone.replace(without_zone.find("zone"), 4, "none");
    EXPECT_FALSE(style.accepts(without_zone)) << without_zone;
  }
}

TEST(Tools, RequiredIsCallsAlone) {
  for (const Written& written : kWritten) {
    const Style style(written.style, {.tool_choice = "\"required\""});
    EXPECT_FALSE(style.accepts(answer(written.style))) << written.style;
    EXPECT_FALSE(style.accepts("")) << written.style;
    EXPECT_TRUE(style.accepts(written.time)) << written.time;
    if (written.both != nullptr) {
      EXPECT_TRUE(style.accepts(written.both)) << written.both;
    }
  }
}

TEST(Tools, NoneIsTextWithoutCalls) {
  for (const Written& written : kWritten) {
    const Style style(written.style, {.tool_choice = "\"none\""});
    EXPECT_TRUE(style.accepts(answer(written.style))) << written.style;
    EXPECT_FALSE(style.accepts(written.stop)) << written.style;
  }
}

TEST(Tools, ANamedOneIsCalledOnce) {
  for (const Written& written : kWritten) {
    for (const char* choice :
         {R"({"type": "function", "function": {"name": "stop"}})", R"({"type": "function", "name": "stop"})"}) {
      const Style style(written.style, {.tool_choice = choice});
      EXPECT_TRUE(style.accepts(written.stop)) << written.style;
      EXPECT_FALSE(style.accepts(written.time)) << written.style;
      EXPECT_FALSE(style.accepts(answer(written.style))) << written.style;
    }
  }
}

// No text spells a call of a tool of the request that may not be called: a reader would take it for one.
TEST(Tools, TextHasNoCallOfAnotherTool) {
  const auto choice = [](std::string_view mode, std::string_view tool) {
    return R"({"type": "allowed_tools", "allowed_tools": {"mode": ")" + std::string(mode) +
           R"(", "tools": [{"type": "function", "function": {"name": ")" + std::string(tool) + R"("}}]}})";
  };
  for (const Written& written : kWritten) {
    const std::string_view name = written.style;
    for (const std::string_view mode : {"auto", "none"}) {
      const Style only_stop(name, {.tool_choice = choice(mode, "stop")});
      const Style only_time(name, {.tool_choice = choice(mode, "get_time")});
      EXPECT_TRUE(only_stop.accepts(answer(name))) << name << mode;
      EXPECT_EQ(only_stop.accepts(written.stop), mode == "auto") << name << mode;
      EXPECT_EQ(only_time.accepts(written.time), mode == "auto") << name << mode;
      for (const std::string before : {"", "Hi. ", "yes\n"}) {
        EXPECT_FALSE(only_stop.accepts(before + written.time)) << name << mode << before;
        EXPECT_FALSE(only_time.accepts(before + written.stop)) << name << mode << before;
      }
      EXPECT_FALSE(only_stop.accepts(written.stop + std::string(written.time))) << name;
    }
    // A tool that is dropped is one of them, the only one of the request, too.
    const std::string good = R"({"name": "stop"}, )";
    for (const std::string& others : {good, std::string()}) {
      const auto tag =
          structural_tag_for_tools(name, "[" + others + R"({"name": "get_time", "parameters": {"type": "string"}}])",
                                   {.on_bad_tool = ToolOptions::OnBadTool::kDrop});
      ASSERT_TRUE(tag.has_value()) << name << tag.error().message;
      const auto compiled =
          GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(*tag, {.special_tokens = {"<none>"}});
      ASSERT_TRUE(compiled.has_value()) << name << compiled.error().message;
      const auto accepts = [&](std::string_view text) {
        GrammarMatcher matcher(*compiled);
        return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
      };
      EXPECT_TRUE(accepts(answer(name))) << name;
      EXPECT_FALSE(accepts(written.time)) << name << others;
      EXPECT_EQ(accepts(written.stop), !others.empty() || name == "pythonic" || name == "xlam") << name;
    }
  }
}

// Where reasoning may be missing and has a bound, the text has neither its tag nor another tool's call.
TEST(Tools, TextHasNeitherReasoningNorACallOfAnotherTool) {
  const Style xlam("xlam", {.tool_choice = R"({"type": "allowed_tools", "mode": "auto", "tools": [{"name": "stop"}]})",
                            .reasoning = ToolOptions::Reasoning::kAuto,
                            .max_reasoning_tokens = 100});
  EXPECT_TRUE(xlam.accepts("yes"));
  EXPECT_TRUE(xlam.accepts("<think>hm</think>yes"));
  EXPECT_FALSE(xlam.accepts("yes <think>hm"));
  EXPECT_FALSE(xlam.accepts(R"(<think>hm</think>[{"name": "get_time", "arguments": {"zone": "x"}}])"));
  EXPECT_TRUE(xlam.accepts(R"(<think>hm</think>[{"name": "stop", "arguments": {}}])"));
}

TEST(Tools, AllowedOnes) {
  const Style style("hermes", {.tool_choice = R"({"type": "allowed_tools", "allowed_tools": {"mode": "auto",
    "tools": [{"type": "function", "function": {"name": "stop"}}]}})"});
  EXPECT_TRUE(style.accepts("yes"));
  EXPECT_TRUE(style.accepts(kWritten[1].stop));
  EXPECT_FALSE(style.accepts(kWritten[1].time));
}

// The delimiters of calls and values are special tokens in some vocabularies. A call then consists of these tokens.
TEST(Tools, EndsOfValuesAreTokensWhereThereAreSome) {
  struct Case {
    const char* style;
    std::vector<std::string> special;
  };
  const Case cases[] = {{"gemma4", {"<|tool_call>", "<tool_call|>", "<|\"|>"}},
                        {"kimi_k3", {"<|open|>", "<|close|>", "<|sep|>"}},
                        {"qwen_coder", {"<tool_call>", "</tool_call>", "</parameter>"}},
                        {"deepseek_v4_1", {"｜DSML｜"}},
                        {"cohere_xml", {"</cofl:value>"}}};
  for (const Case& c : cases) {
    VocabSpec spec;
    for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
    for (const std::string& name : c.special) {
      spec.special_token_ids.push_back(static_cast<std::uint32_t>(spec.tokens.size()));
      spec.tokens.push_back(name);
    }
    spec.stop_token_ids = {static_cast<std::uint32_t>(spec.tokens.size())};
    spec.tokens.emplace_back("<eos>");
    const auto tokenizer = TokenizerInfo::from_vocab(std::move(spec));
    ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
    const auto tag = structural_tag_for_tools(c.style, kTools, {.tool_choice = "\"required\""});
    ASSERT_TRUE(tag.has_value());
    const auto compiled = GrammarCompiler(*tokenizer).compile_structural_tag(*tag);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    const auto written = std::find_if(std::begin(kWritten), std::end(kWritten),
                                      [&](const Written& w) { return w.style == std::string_view(c.style); });
    GrammarMatcher matcher(*compiled);
    std::string_view rest = written->time;
    while (!rest.empty()) {
      const auto name =
          std::find_if(c.special.begin(), c.special.end(), [&](const std::string& n) { return rest.starts_with(n); });
      if (name == c.special.end()) {
        ASSERT_EQ(matcher.accept_bytes(rest.substr(0, 1)), Step::kOk) << c.style << " before " << rest;
        rest.remove_prefix(1);
        continue;
      }
      const auto id = static_cast<std::uint32_t>(256 + (name - c.special.begin()));
      ASSERT_EQ(matcher.accept_token(id), Step::kOk) << c.style << " before " << rest;
      rest.remove_prefix(name->size());
    }
    EXPECT_TRUE(matcher.is_completed()) << c.style;
  }
}

TEST(Tools, OneCallAtMost) {
  for (const Written& written : kWritten) {
    if (written.both == nullptr) continue;
    for (const char* choice : {"\"auto\"", "\"required\""}) {
      const Style style(written.style, {.tool_choice = choice, .parallel_tool_calls = false});
      EXPECT_TRUE(style.accepts(written.time)) << written.style;
      EXPECT_FALSE(style.accepts(written.both)) << written.style;
    }
  }
}

TEST(Tools, ReasoningComesFirst) {
  const std::string call = kWritten[1].time;
  const Style whole("hermes", {.tool_choice = "\"required\"", .reasoning = ToolOptions::Reasoning::kWhole});
  EXPECT_TRUE(whole.accepts("<think>\n<tool_call> or not\n</think>\n\n" + call));
  EXPECT_FALSE(whole.accepts(call));
  const Style begun("hermes", {.reasoning = ToolOptions::Reasoning::kBegun});
  EXPECT_TRUE(begun.accepts("or not</think>" + call));
  EXPECT_FALSE(begun.accepts("or not"));
  const Style kimi("kimi_k3", {.reasoning = ToolOptions::Reasoning::kBegun});
  EXPECT_TRUE(
      kimi.accepts("hm<|close|>think<|sep|><|open|>response<|sep|>yes<|close|>response<|sep|>"
                   "<|close|>message<|sep|>"));
  EXPECT_FALSE(kimi.accepts("yes<|close|>response<|sep|><|close|>message<|sep|>"));
  const Style cohere("cohere", {.reasoning = ToolOptions::Reasoning::kWhole});
  EXPECT_TRUE(cohere.accepts("<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>yes<|END_RESPONSE|>"));
  const auto none = structural_tag_for_tools("llama3", kTools, {.reasoning = ToolOptions::Reasoning::kWhole});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kUnsupported);
}

TEST(Tools, AnAnswerUnderASchemaOrCalls) {
  const char* format =
      R"({"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object", "properties":
    {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false}}})";
  for (const Written& written : kWritten) {
    std::string json = answer(written.style);
    json.replace(json.find("yes"), 3, R"({"a": 1})");
    for (const char* choice : {"\"auto\"", "\"none\""}) {
      const Style style(written.style, {.tool_choice = choice, .response_format = format});
      EXPECT_TRUE(style.accepts(json)) << json;
      EXPECT_FALSE(style.accepts(answer(written.style))) << written.style;
      EXPECT_EQ(style.accepts(written.time), std::string_view(choice) == "\"auto\"") << written.time;
    }
    const Style required(written.style, {.tool_choice = "\"required\"", .response_format = format});
    EXPECT_FALSE(required.accepts(json)) << written.style;
    json.replace(json.find("\"a\"") + 1, 1, "b");
    EXPECT_TRUE(Style(written.style, {.response_format = R"({"type": "json_object"})"}).accepts(json)) << json;
    EXPECT_TRUE(Style(written.style, {.response_format = R"({"type": "text"})"}).accepts(answer(written.style)));
  }
  // A preamble of harmony is content: there is none beside an answer under a schema, or in its place.
  const std::string preamble = "<|channel|>commentary<|message|>Hi<|end|><|start|>assistant";
  const std::string reasoning = "<|channel|>analysis<|message|>hm<|end|><|start|>assistant";
  const std::string json = R"(<|channel|>final<|message|>{"a": 1})";
  const std::string call = "<|channel|>commentary to=functions.stop <|constrain|>json<|message|>{}";
  for (const char* one : {format, R"({"type": "json_object"})", R"({"type": "text"})", ""}) {
    const bool is_text = std::string_view(one).empty() || std::string_view(one).find("text") != std::string_view::npos;
    for (const char* choice : {"\"auto\"", "\"required\""}) {
      const Style harmony("harmony", {.tool_choice = choice, .response_format = one});
      EXPECT_TRUE(harmony.accepts(reasoning + call)) << one << choice;
      EXPECT_EQ(harmony.accepts(preamble + call), is_text) << one << choice;
      const bool may_answer = std::string_view(choice) == "\"auto\"";
      EXPECT_EQ(harmony.accepts(reasoning + json), may_answer) << one << choice;
      EXPECT_EQ(harmony.accepts(preamble + json), may_answer && is_text) << one << choice;
    }
  }
  for (const char* bad : {"{", "1", R"({"type": "xml"})", R"({"type": "json_schema", "json_schema": {}})"}) {
    const auto tag = structural_tag_for_tools("hermes", kTools, {.response_format = bad});
    ASSERT_FALSE(tag.has_value()) << bad;
    EXPECT_TRUE(tag.error().message.starts_with("`response_format`: ")) << tag.error().message;
  }
}

TEST(Tools, ResponseFormatsAreReadAsThoseAlone) {
  struct Wrong {
    const char* format;
    const char* message;
  };
  constexpr Wrong kWrong[] = {
      {R"({"type": "json_object", "shema": {}})", "`response_format`: a response format has no member `shema`"},
      {R"({"type": "json_schema", "json_schema": {"schema": {}, "stict": true}})",
       "`response_format`: `json_schema` has no member `stict`"},
      {R"({"type": "json_schema", "json_schema": {"schema": {}, "schemas": {}}})",
       "`response_format`: `json_schema` has no member `schemas`"},
      {R"({"type": "json_schema", "json_schema": {"schema": {}}, "schema": {}})", "`response_format`: "},
      {R"({"type": "json_schema", "schema": 5})", "`response_format`: a schema must be an object or a boolean"},
      {R"({"type": "json_schema", "schema": {"type": "strin"}})", "`response_format`: `type` of `#` must name types"},
      {R"({"type": "json_object", "schema": {"properties": {"a": {"type": "strin"}}}})",
       "`response_format`: `type` of `#/properties/a` must name types"},
      {R"({"type": "json_schema", "schema": {"type": "object", "required": ["a"], "properties": {"a": false}}})",
       "`response_format`: no value is valid"},
      {R"({"type": "json_object", "schema": {"type": "string"}})", "`response_format`: "},
      {R"({"type": "json_object", "reasoning": {"end": "</a>"}})",
       "`response_format`: it cannot have `reasoning` beside tools"},
  };
  for (const Wrong& wrong : kWrong) {
    for (const char* choice : {"\"auto\"", "\"required\""}) {
      const auto tag =
          structural_tag_for_tools("hermes", kTools, {.tool_choice = choice, .response_format = wrong.format});
      ASSERT_FALSE(tag.has_value()) << wrong.format;
      EXPECT_TRUE(tag.error().message.starts_with(wrong.message)) << tag.error().message;
    }
  }
  // `json_object` with a schema, whatever types it allows, and in the form of its text.
  for (const char* schema :
       {R"({"properties": {"a": {"type": "integer"}}, "required": ["a"]})",
        R"({"type": ["object", "null"], "properties": {"a": {"type": "integer"}}, "required": ["a"]})",
        R"({"$ref": "#/$defs/o", "$defs": {"o": {"properties": {"a": {"type": "integer"}}, "required": ["a"]}}})",
        R"("{\"properties\": {\"a\": {\"type\": \"integer\"}}, \"required\": [\"a\"]}")"}) {
    const Style style("hermes",
                      {.response_format = R"({"type": "json_object", "schema": )" + std::string(schema) + "}"});
    EXPECT_TRUE(style.accepts(R"({"a": 1})")) << schema;
    EXPECT_FALSE(style.accepts("{}") || style.accepts("null") || style.accepts("1")) << schema;
  }
  EXPECT_TRUE(Style("hermes", {.response_format = R"({"type": "json_object", "schema": true})"}).accepts("{}"));
  // A later draft's keyword, and documents that may be known when the tag is compiled.
  for (const char* schema : {R"({"items": [{"type": "integer"}]})", R"({"$ref": "urn:mine"})"}) {
    EXPECT_TRUE(
        structural_tag_for_tools(
            "hermes", kTools, {.response_format = R"({"type": "json_schema", "schema": )" + std::string(schema) + "}"})
            .has_value())
        << schema;
  }
}

TEST(Tools, OptionsOfReasoningHaveAnEffectOrAreRefused) {
  using Reasoning = ToolOptions::Reasoning;
  for (const std::string_view style : tool_styles()) {
    const bool is_harmony = style == "harmony";
    EXPECT_EQ(structural_tag_for_tools(style, kTools, {.max_reasoning_tokens = 3}).has_value(), is_harmony) << style;
    EXPECT_EQ(structural_tag_for_tools(style, kTools, {.reasoning_closing = "Done."}).has_value(), is_harmony) << style;
    for (const Reasoning reasoning : {Reasoning::kWhole, Reasoning::kBegun, Reasoning::kAuto}) {
      const auto free = structural_tag_for_tools(style, kTools, {.reasoning = reasoning});
      if (!free.has_value()) continue;
      for (const ToolOptions& more : {ToolOptions{.reasoning = reasoning, .max_reasoning_tokens = 3},
                                      ToolOptions{.reasoning = reasoning, .reasoning_closing = "Done."}}) {
        const auto bound = structural_tag_for_tools(style, kTools, more);
        ASSERT_TRUE(bound.has_value()) << style;
        EXPECT_NE(*bound, *free) << style;
      }
    }
  }
  const auto closing =
      structural_tag_for_tools("hermes", kTools, {.reasoning = Reasoning::kWhole, .reasoning_closing = "a</think>"});
  ASSERT_FALSE(closing.has_value());
  EXPECT_EQ(closing.error().message, "`reasoning_closing` contains the tag that ends the reasoning");

  const std::string next = "<|end|><|start|>assistant";
  const std::string answer = "<|channel|>final<|message|>yes";
  const Style begun("harmony", {.reasoning = Reasoning::kBegun});
  EXPECT_TRUE(begun.accepts("hm" + next + answer));
  EXPECT_FALSE(begun.accepts(answer));
  const Style bound("harmony", {.reasoning = Reasoning::kWhole, .max_reasoning_tokens = 1'000});
  const std::string thought = "<|channel|>analysis<|message|>hm" + next;
  EXPECT_TRUE(bound.accepts(thought + answer));
  EXPECT_TRUE(bound.accepts(answer));
  EXPECT_FALSE(bound.accepts(thought + thought + answer));  // else the bound could be met again and again
}

// Reasoning that may be missing has its bound: free text in its place does not begin one.
TEST(Tools, ABoundOnReasoningThatMayBeMissing) {
  using Reasoning = ToolOptions::Reasoning;
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  int tried = 0;
  for (const std::string_view style : tool_styles()) {
    for (const char* choice : {"\"auto\"", "\"none\"", "\"required\""}) {
      const ToolOptions options{.tool_choice = choice, .reasoning = Reasoning::kAuto, .max_reasoning_tokens = 3};
      const auto tag = structural_tag_for_tools(style, kTools, options);
      if (!tag.has_value()) continue;
      // The first tag of the output is that of the reasoning.
      const std::size_t begin = tag->find(R"("type": "tag", "begin": ")") + 25;
      const std::string opening = tag->substr(begin, tag->find('"', begin) - begin);
      std::string text = opening.substr(0, opening.find('\\'));
      GrammarMatcher matcher(compiler.compile_structural_tag(*tag).value());
      ASSERT_EQ(matcher.accept_text(text), Step::kOk) << style << text;
      for (int i = 0; i < 3; ++i) (void)matcher.accept_text(" one");
      EXPECT_EQ(matcher.accept_text(" two three four five six seven"), Step::kRefused) << style << " " << choice;
      ++tried;
    }
  }
  EXPECT_GT(tried, 60);
  const Style hermes("hermes", {.reasoning = Reasoning::kAuto, .max_reasoning_tokens = 100});
  EXPECT_TRUE(hermes.accepts("yes") && hermes.accepts("<think>hm</think>yes") && hermes.accepts(kWritten[1].time));
  EXPECT_FALSE(hermes.accepts("<think>hm") || hermes.accepts("yes <think>hm"));
  const Style free("hermes", {.reasoning = Reasoning::kAuto});
  EXPECT_TRUE(free.accepts("<think>hm"));  // without a bound it is text, as ever
}

TEST(Tools, AChoiceOfADroppedToolSaysWhyItIsDropped) {
  const auto tag =
      structural_tag_for_tools("hermes", R"([{"name": "bad", "parameters": {"properties": 5}}])",
                               {.tool_choice = "\"required\"", .on_bad_tool = ToolOptions::OnBadTool::kDrop});
  ASSERT_FALSE(tag.has_value());
  EXPECT_TRUE(tag.error().message.starts_with(
      "`tool_choice`: a call is required, and `on_bad_tool` has dropped the tools: tool `bad`: "))
      << tag.error().message;
}

TEST(Tools, ABadToolIsLoosenedOrDropped) {
  const char* tools = R"([{"name": "bad", "parameters": {"properties": {"a": {"type": "strin"}}}},
    {"name": "good", "parameters": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}}])";
  const auto compiled = [&](const char* style, ToolOptions::OnBadTool policy) {
    const auto tag = structural_tag_for_tools(style, tools, {.on_bad_tool = policy});
    EXPECT_TRUE(tag.has_value());
    return GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(*tag).value();
  };
  const auto accepts = [](const CompiledGrammar& grammar, std::string_view text) {
    GrammarMatcher matcher(grammar);
    return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
  };
  EXPECT_FALSE(structural_tag_for_tools("hermes", tools).has_value());
  using Policy = ToolOptions::OnBadTool;
  for (const char* parameters :
       {"5", "true", "[]", "\"{}\"", R"({"type": "string"})", R"({"schema": {}})", R"({"properties": 5})"}) {
    const std::string list = R"([{"name": "bad", "parameters": )" + std::string(parameters) + R"(}, {"name": "good"}])";
    EXPECT_FALSE(structural_tag_for_tools("hermes", list).has_value()) << parameters;
    for (const Policy policy : {Policy::kLoosen, Policy::kDrop}) {
      const auto tag = structural_tag_for_tools("hermes", list, {.on_bad_tool = policy});
      ASSERT_TRUE(tag.has_value()) << parameters << " " << tag.error().message;
      EXPECT_NE(tag->find("tool `bad`"), std::string::npos);
    }
  }
  const CompiledGrammar loose = compiled("hermes", Policy::kLoosen);
  EXPECT_TRUE(accepts(loose, R"(<tool_call>{"name": "bad", "arguments": {"a": [1]}}</tool_call>)"));
  EXPECT_TRUE(accepts(loose, R"(<tool_call>{"name": "good", "arguments": {"n": 1}}</tool_call>)"));
  EXPECT_FALSE(accepts(loose, R"(<tool_call>{"name": "good", "arguments": {"n": "x"}}</tool_call>)"));
  ASSERT_EQ(loose.warnings().size(), 1U);
  EXPECT_EQ(loose.warnings()[0].code, "bad-tool");
  EXPECT_TRUE(loose.warnings()[0].message.starts_with("tool `bad`, argument `a`: ")) << loose.warnings()[0].message;
  EXPECT_TRUE(loose.warnings()[0].message.ends_with("; it takes any arguments")) << loose.warnings()[0].message;
  EXPECT_TRUE(accepts(compiled("qwen_coder", Policy::kLoosen),
                      "<tool_call><function=bad><parameter=b>x</parameter></function></tool_call>"));
  // Also one whose parameters are no object, or are not called so.
  for (const char* other : {R"([{"name": "f", "parameters": {"type": "string"}}])",
                            R"([{"name": "f", "input_schema": {"type": "object"}}])"}) {
    EXPECT_FALSE(structural_tag_for_tools("hermes", other).has_value()) << other;
    EXPECT_TRUE(structural_tag_for_tools("hermes", other, {.on_bad_tool = Policy::kLoosen}).has_value()) << other;
  }
  const CompiledGrammar dropped = compiled("hermes", Policy::kDrop);
  EXPECT_FALSE(accepts(dropped, R"(<tool_call>{"name": "bad", "arguments": {}}</tool_call>)"));
  EXPECT_TRUE(accepts(dropped, R"(<tool_call>{"name": "good", "arguments": {"n": 1}}</tool_call>)"));
  ASSERT_EQ(dropped.warnings().size(), 1U);
  EXPECT_TRUE(dropped.warnings()[0].message.ends_with("; it cannot be called")) << dropped.warnings()[0].message;
}

// A list for OpenAI's Responses may have tools that the provider runs. They are no functions: an error that names the option,
// or left out with a warning.
TEST(Tools, BuiltInTools) {
  const std::string tools = R"([{"type": "web_search"}, {"type": "function", "name": "f"},
    {"type": "mcp", "name": "f", "server_label": "s"}, {"type": "code_interpreter", "container": {"type": "auto"}}])";
  const auto refused = structural_tag_for_tools("hermes", tools);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().pointer, "/0/type");
  EXPECT_EQ(refused.error().options, "on_bad_tool");
  EXPECT_NE(refused.error().hint.find("`on_bad_tool`"), std::string::npos) << refused.error().hint;
  EXPECT_EQ(refused.error().notes.size(), 2U);
  for (const auto policy : {ToolOptions::OnBadTool::kLoosen, ToolOptions::OnBadTool::kDrop}) {
    for (
        const char* choice :
        {R"("required")",
         R"({"type": "allowed_tools", "mode": "required", "tools": [{"type": "web_search"}, {"type": "function", "name": "f"}]})"}) {
      const auto tag = structural_tag_for_tools("hermes", tools, {.tool_choice = choice, .on_bad_tool = policy});
      ASSERT_TRUE(tag.has_value()) << tag.error().message;
      const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(*tag);
      ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
      ASSERT_EQ(compiled->warnings().size(), 3U);
      EXPECT_EQ(compiled->warnings()[0].code, "bad-tool");
      EXPECT_TRUE(compiled->warnings()[0].message.ends_with("not `web_search`; it cannot be called"));
      GrammarMatcher matcher(*compiled);
      EXPECT_EQ(matcher.accept_bytes(R"(<tool_call>{"name": "f", "arguments": {}}</tool_call>)"), Step::kOk);
      EXPECT_TRUE(matcher.is_completed());
    }
    // None is left to be called. A type that is spelled wrong is no built-in tool.
    const auto none = structural_tag_for_tools("hermes", R"([{"type": "web_search"}])",
                                               {.tool_choice = R"("required")", .on_bad_tool = policy});
    ASSERT_FALSE(none.has_value());
    EXPECT_NE(none.error().message.find("`on_bad_tool` has dropped the tools: these styles"), std::string::npos);
    EXPECT_TRUE(structural_tag_for_tools("hermes", R"([{"type": "web_search"}])", {.on_bad_tool = policy}).has_value());
    const auto typo =
        structural_tag_for_tools("hermes", R"([{"type": "functoin", "name": "f"}])", {.on_bad_tool = policy});
    ASSERT_FALSE(typo.has_value());
    EXPECT_EQ(typo.error().hint, "did you mean `function`?");
  }
}

TEST(Tools, ReasoningThatMayBeMissingAndEnds) {
  using Reasoning = ToolOptions::Reasoning;
  const std::string call = kWritten[1].time;
  const Style may("hermes", {.tool_choice = "\"required\"", .reasoning = Reasoning::kAuto});
  EXPECT_TRUE(may.accepts("<think>hm</think>\n" + call));
  EXPECT_TRUE(may.accepts(call));
  EXPECT_FALSE(may.accepts("<think>hm" + call));
  ToolOptions options{.reasoning = Reasoning::kBegun};
  options.max_reasoning_tokens = 3;
  options.reasoning_closing = " Time is up.";
  const Style bounded("hermes", options);
  EXPECT_TRUE(bounded.accepts("hm</think>yes"));
  EXPECT_TRUE(bounded.accepts("hm Time is up.</think>yes"));
}

TEST(Tools, ArgumentsAreCaptures) {
  for (const Written& written : kWritten) {
    if (written.both == nullptr) continue;
    const Style style(written.style);
    EXPECT_EQ(style.captures(written.both), (std::vector<std::string>{"get_time", "stop"})) << written.style;
  }
  const Style hermes("hermes");
  const std::string text = "Well." + std::string(kWritten[1].time);
  EXPECT_EQ(hermes.captured(text, "get_time"), R"({"zone": "x"})");
}

TEST(Tools, WhatIsRefused) {
  const auto refusal = [](std::string_view style, std::string_view tools, const std::string& choice = "\"auto\"") {
    const auto tag = structural_tag_for_tools(style, tools, {.tool_choice = choice});
    EXPECT_FALSE(tag.has_value());
    return tag ? Error{} : tag.error();
  };
  EXPECT_EQ(refusal("hermess", "[]").hint, "did you mean `hermes`?");
  EXPECT_EQ(refusal("hermes", "[").code, ErrorCode::kSyntax);
  EXPECT_EQ(refusal("hermes", "{}").message, "`tools` must be a list");
  const Error nameless = refusal("hermes", R"([{"type": "function", "function": {}}])");
  EXPECT_EQ(nameless.where, (SourceRange{1, 37}));
  EXPECT_EQ(nameless.pointer, "/0");
  EXPECT_EQ(refusal("hermes", R"([{"type": "web_search"}])").pointer, "/0/type");
  EXPECT_EQ(refusal("hermes", R"([{"type": "web_search"}])").message,
            "these styles support only tools of type `function` and `custom`, not `web_search`");
  EXPECT_EQ(refusal("hermes", R"([{"name": "a"}, {"name": "a"}])").message, "there are two tools `a`");
  EXPECT_EQ(refusal("hermes", R"([{"name": "a", "parameters": 1}])").pointer, "/0/parameters");
  const Error named_otherwise = refusal("hermes", R"([{"name": "a", "description": "d", "input_schema": {}}])");
  EXPECT_EQ(named_otherwise.message, "tool `a`: without `parameters` it has no member `input_schema`");
  EXPECT_EQ(named_otherwise.hint, "did you mean `parameters`?");
  EXPECT_EQ(named_otherwise.pointer, "/0/input_schema");
  EXPECT_EQ(refusal("hermes", R"([{"type": "function", "function": {"name": "a", "arguments": {}}}])").pointer,
            "/0/function/arguments");
  EXPECT_EQ(refusal("hermes", R"([{"function": {"name": "a"}, "parameters": {}}])").hint, "it belongs into `function`");
  EXPECT_EQ(refusal("hermes", R"([{"name": "a", "returns": 1}])").hint,
            "leave it out, or say what the `parameters` are");
  EXPECT_TRUE(structural_tag_for_tools("hermes", R"([{"name": "a", "parameters": {}, "returns": 1}])", {}).has_value());
  EXPECT_EQ(refusal("hermes", "[]", "\"required\"").code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusal("hermes", "[]", "\"any\"").code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refusal("hermes", "[]", "auto").hint, "a word stands in quotes: \"auto\"");
  EXPECT_EQ(refusal("hermes", kTools, R"({"type": "function", "name": "stopp"})").hint, "did you mean `stop`?");
}

// A grammar of a style for these tools, under options and with special tokens that are given.
Result<CompiledGrammar> compiled(std::string_view style, std::string_view tools,
                                 const StructuralTagOptions& options = {},
                                 const ToolOptions& request = {.tool_choice = "\"required\""}) {
  return structural_tag_for_tools(style, tools, request).and_then([&](const std::string& tag) {
    StructuralTagOptions with_tokens = options;
    if (with_tokens.special_tokens.empty()) with_tokens.special_tokens = {"<none>"};
    return GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(tag, with_tokens);
  });
}

bool accepts(const Result<CompiledGrammar>& grammar, std::string_view text) {
  EXPECT_TRUE(grammar.has_value()) << grammar.error().message;
  if (!grammar) return false;
  GrammarMatcher matcher(*grammar);
  return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
}

TEST(Tools, NamesAreEscapedAsTheirFormRequires) {
  const std::string_view odd = R"([{"name": "a\"\\\n\u0001é/"}])";
  EXPECT_TRUE(accepts(compiled("hermes", odd),
                      "<tool_call>\n{\"name\": \"a\\\"\\\\\\n\\u0001é/\", \"arguments\": {}}\n</tool_call>"));
  EXPECT_TRUE(accepts(compiled("llama3", odd), "{\"name\": \"a\\\"\\\\\\n\\u0001é/\", \"parameters\": {}}"));
  EXPECT_TRUE(
      accepts(compiled("mistral", odd), "[TOOL_CALLS][{\"name\": \"a\\\"\\\\\\n\\u0001é/\", \"arguments\": {}}]"));
  EXPECT_TRUE(accepts(compiled("cohere", odd),
                      "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"a\\\"\\\\\\n\\u0001é/\", "
                      "\"parameters\": {}}\n]<|END_ACTION|>"));
  EXPECT_TRUE(accepts(compiled("cohere_xml", R"([{"name": "a<&\">"}])"),
                      "<cofl:tool_calls><cofl:tool_call id=\"0\" name=\"a&lt;&amp;&quot;&gt;\"></cofl:tool_call>"
                      "</cofl:tool_calls>"));
}

TEST(Tools, NamesThatAStyleCannotWrite) {
  const std::pair<const char*, const char*> cases[] = {
      {"qwen_coder", "a>b"},       {"deepseek_v3", "a\\nb"}, {"deepseek_v3_1", "a<b"},    {"glm", "a\\nb"},
      {"kimi_k2", "a:1"},          {"minimax_m2", "a\\\"b"}, {"deepseek_v3_2", "a\\\"b"}, {"deepseek_v4", "a\\\"b"},
      {"deepseek_v4_1", "a\\\"b"}, {"kimi_k3", "a\\nb"},     {"cohere_xml", "a\\nb"},     {"gemma4", "a{b"},
      {"harmony", "a b"}};
  for (const auto& [style, name] : cases) {
    const std::string tools =
        R"([{"name": "ok"}, {"type": "function", "function": {"name": ")" + std::string(name) + "\"}}]";
    const auto tag = structural_tag_for_tools(style, tools);
    ASSERT_FALSE(tag.has_value()) << style;
    EXPECT_EQ(tag.error().code, ErrorCode::kUnsupported) << style;
    EXPECT_EQ(tag.error().pointer, "/1/function/name") << style;
    EXPECT_EQ(tag.error().where.start, tools.rfind('"', tools.rfind(name))) << style;
    EXPECT_TRUE(tag.error().message.starts_with("tool `a")) << tag.error().message;
    EXPECT_NE(tag.error().message.find("the style `" + std::string(style) + "` cannot write"), std::string::npos);
  }
}

// Those who write tools do not decide on control tokens.
TEST(Tools, NamesNeverSpellASpecialToken) {
  StructuralTagOptions options;
  options.special_tokens = {"<|im_end|>", "<tool_call>"};
  for (const char* style : {"hermes", "llama3", "mistral", "cohere", "cohere_xml"}) {
    if (std::string_view(style) == "cohere_xml") options.special_tokens.push_back("x&lt");
    const auto refused = compiled(style, R"([{"name": "ok"}, {"name": "x<|im_end|>y"}])", options);
    ASSERT_FALSE(refused.has_value()) << style;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported) << style;
    EXPECT_EQ(refused.error().pointer, "/1/name") << style;
    EXPECT_TRUE(refused.error().message.starts_with("tool `x<|im_end|>y`: the name spells the special token `"))
        << refused.error().message;
  }
  // The token may also begin before the name, or end after it; one beside it is none of its own.
  options.special_tokens = {"=ab", "c>\n<"};
  EXPECT_FALSE(compiled("qwen_coder", R"([{"name": "abz"}])", options).has_value());
  options.special_tokens = {"<tool_call>"};
  const auto beside = structural_tag_for_tools("hermes", R"([{"name": "tool_call"}])");
  ASSERT_TRUE(beside.has_value()) << beside.error().message;
  EXPECT_TRUE(Grammar::from_structural_tag(*beside, options).has_value());
}

TEST(Tools, KeysOfArgumentsNeverSpellASpecialToken) {
  StructuralTagOptions options;
  options.special_tokens = {"<|im_start|>"};
  const auto tools = [](const char* required) {
    return R"([{"name": "f", "parameters": {"properties": {"a": {"enum": [1]}, "<|im_start|>b": {"enum": [2]}}, "required": [)" +
           std::string(required) + "]}}]";
  };
  const auto optional = compiled("minimax_m2", tools(""), options);
  EXPECT_TRUE(accepts(optional,
                      "<minimax:tool_call>\n<invoke name=\"f\"><parameter name=\"a\">1</parameter></invoke>\n"
                      "</minimax:tool_call>"));
  EXPECT_FALSE(accepts(optional,
                       "<minimax:tool_call>\n<invoke name=\"f\"><parameter name=\"<|im_start|>b\">2</parameter>"
                       "</invoke>\n</minimax:tool_call>"));
  const auto required = compiled("minimax_m2", tools("\"<|im_start|>b\""), options);
  ASSERT_FALSE(required.has_value());
  EXPECT_TRUE(required.error().message.starts_with("tool `f`, argument `<|im_start|>b`: the required argument"))
      << required.error().message;
  EXPECT_NE(required.error().message.find("spells the special token `<|im_start|>`"), std::string::npos);
  EXPECT_EQ(required.error().pointer, "/0/parameters/properties/<|im_start|>b");
}

// No text of a tool leads to a token: not the texts that its schema lists, nor what it describes of the input.
TEST(Tools, TextsOfToolsNeverSpellASpecialToken) {
  const TokenizerInfo tokenizer = engine_testing::byte_vocabulary({});
  const std::uint32_t special = *tokenizer.find_special_token("<tool>");
  const std::uint32_t stop = *tokenizer.find_special_token("<eos>");
  const auto custom = [](std::string_view syntax, std::string_view definition) {
    return R"([{"type": "custom", "name": "f", "format": {"type": "grammar", "syntax": ")" + std::string(syntax) +
           R"(", "definition": ")" + std::string(definition) + R"("}}])";
  };
  const std::string lists[] = {
      R"([{"name": "f", "parameters": {"properties": {"a": {"const": "x<tool>y<eos>z"}}, "required": ["a"]}}])",
      R"([{"name": "f", "parameters": {"properties": {"a": {"type": "string", "pattern": "^<tool><eos>$"}},
        "required": ["a"]}}])",
      R"([{"name": "f", "parameters": {"properties": {"o": {"type": "object", "properties": {"k": {"enum": ["<eos>"]}},
        "required": ["k"]}}, "required": ["o"]}}])",
      custom("regex", "<tool>a<eos>"), custom("lark", R"(start: \"a\" \"<tool>\" \"<eos>\" \"b\")")};
  for (const std::string_view style : tests::distinct_styles()) {
    for (const std::string& list : lists) {
      const auto tag = structural_tag_for_tools(style, list, {.tool_choice = "\"required\""});
      ASSERT_TRUE(tag.has_value()) << style << list << tag.error().message;
      const auto grammar = GrammarCompiler(tokenizer).compile_structural_tag(*tag);
      if (!grammar) {  // the style cannot write `<`
        EXPECT_EQ(grammar.error().code, ErrorCode::kUnsatisfiable) << style << grammar.error().message;
        continue;
      }
      GrammarMatcher matcher(*grammar);
      const std::optional<std::string> call = matcher.shortest_completion();
      ASSERT_TRUE(call.has_value()) << style << list;
      EXPECT_NE(call->find("eos"), std::string::npos) << style << *call;
      for (const char byte : *call) {
        EXPECT_FALSE(matcher.is_token_allowed(special)) << style << *call;
        EXPECT_FALSE(matcher.is_token_allowed(stop)) << style << *call;
        ASSERT_EQ(matcher.accept_token(static_cast<std::uint8_t>(byte)), Step::kOk) << style << *call;
      }
      EXPECT_TRUE(matcher.is_completed()) << style;
    }
  }
}

// A custom tool's grammar has no tokens, however they are written.
TEST(Tools, GrammarsOfToolsHaveNoTokens) {
  for (const std::string_view style : tests::distinct_styles()) {
    for (const std::string_view token : {"<tool>", "<|eot|>", "<[3]>", "<[*]>", "<[^3]>", "<[1-2,4]>"}) {
      const std::string tools =
          R"([{"name": "ok"}, {"type": "custom", "custom": {"name": "f", "format": {"type": "grammar", "grammar": )"
          R"({"syntax": "lark", "definition": "start: b\nb: \"a\" )" +
          std::string(token) + R"( \"b\"\n"}}}}])";
      const auto tag = structural_tag_for_tools(style, tools);
      ASSERT_FALSE(tag.has_value()) << style << token;
      EXPECT_EQ(tag.error().code, ErrorCode::kUnsupported) << style;
      EXPECT_EQ(tag.error().message, "tool `f`: its grammar, line 2, column 8: the grammar must be one of text, and `" +
                                         std::string(token) + "` is no text")
          << style;
      EXPECT_EQ(tag.error().pointer, "/1/custom/format/grammar/definition") << style;
      EXPECT_EQ(tag.error().where.start, tools.find(token)) << style << token;
      EXPECT_EQ(tag.error().where.end, tools.find(token) + token.size()) << style << token;
      // A bad tool like any other.
      EXPECT_TRUE(structural_tag_for_tools(style, tools, {.on_bad_tool = ToolOptions::OnBadTool::kDrop}).has_value());
    }
  }
  // The tag says so itself, for what is found only when it is compiled.
  const auto grammar = [](std::string_view syntax, std::string_view definition, std::string_view text) {
    return Grammar::from_structural_tag(R"({"format": {"type": "grammar", "syntax": ")" + std::string(syntax) +
                                        R"(", "text": )" + std::string(text) + R"(, "grammar": ")" +
                                        std::string(definition) + R"("}})");
  };
  for (const auto& [syntax, definition] :
       {std::pair("lark", R"(start: \"a\" <tool>)"), std::pair("ebnf", R"(root ::= \"a\" <tool>)")}) {
    EXPECT_TRUE(grammar(syntax, definition, "false").has_value());
    const auto refused = grammar(syntax, definition, "true");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().pointer, "/format/grammar");
    EXPECT_EQ(refused.error().message, "the grammar must be one of text, and `<tool>` is no text");
  }
  EXPECT_TRUE(grammar("lark", R"(start: \"a\" \"<tool>\")", "true").has_value());
  EXPECT_EQ(grammar("lark", R"(start: \"a\")", "1").error().pointer, "/format/text");
  // Lines and blocks are marks of the text, no tokens of the vocabulary.
  const auto blocks = structural_tag_for_tools("qwen_coder", R"([{"type": "custom", "name": "f", "format":
    {"type": "grammar", "syntax": "lark", "definition": "start: A _NL _INDENT A _NL _DEDENT\nA: \"a\"\n_NL: /(\\n *)+/\n%declare _INDENT _DEDENT"}}])");
  EXPECT_TRUE(blocks.has_value()) << blocks.error().message;
}

std::string tool_of(const std::string& parameters) { return R"([{"name": "f", "parameters": )" + parameters + "}]"; }

// OpenAI's interface has parameters of an object, whether or not their schema says so.
TEST(Tools, ArgumentsAreAnObject) {
  for (const char* parameters :
       {"{}", R"({"properties": {"q": {"type": "string"}}})", R"({"type": ["null", "object"]})",
        R"({"anyOf": [{"type": "object"}, {"type": "string"}]})"}) {
    const auto grammar = compiled("llama3", tool_of(parameters));
    EXPECT_TRUE(accepts(grammar, R"({"name": "f", "parameters": {"q": "x"}})")) << parameters;
    for (const char* other : {"5", "null", "[]", "\"x\""}) {
      EXPECT_FALSE(accepts(grammar, R"({"name": "f", "parameters": )" + std::string(other) + "}")) << parameters;
    }
  }
  for (const std::string_view style : tool_styles()) {
    for (const char* parameters : {R"({"type": "string"})", R"({"type": ["array", "null"]})", R"({"enum": [1]})"}) {
      const auto tag = structural_tag_for_tools(style, tool_of(parameters));
      ASSERT_FALSE(tag.has_value()) << style << parameters;
      EXPECT_TRUE(tag.error().message.starts_with("tool `f`: ")) << tag.error().message;
      EXPECT_TRUE(tag.error().pointer.starts_with("/0/parameters")) << tag.error().pointer;
    }
  }
}

// Values that only a `const` or `enum` at the top says have no schema of their own in the text.
TEST(Tools, ArgumentsFromConstants) {
  const std::string tools = tool_of(R"({"enum": [{"n": 1.50}, {"n": "x\"\n", "o": {"k": [null, true]}}, {"n": 7}]})");
  const auto grammar = compiled("glm", tools);
  const std::string begin = "<tool_call>f\n<arg_key>n</arg_key><arg_value>";
  EXPECT_TRUE(accepts(grammar, begin + "1.5</arg_value></tool_call>"));
  EXPECT_TRUE(accepts(grammar, begin + "7</arg_value></tool_call>"));
  EXPECT_FALSE(accepts(grammar, begin + "8</arg_value></tool_call>"));
  const std::string second = begin + "x\"\n</arg_value><arg_key>o</arg_key><arg_value>{\"k\": [null, ";
  EXPECT_TRUE(accepts(grammar, second + "true]}</arg_value></tool_call>"));
  EXPECT_FALSE(accepts(grammar, second + "false]}</arg_value></tool_call>"));
  for (const std::string_view style : tool_styles()) {
    EXPECT_TRUE(compiled(style, tools).has_value()) << style;
    EXPECT_TRUE(compiled(style, tool_of(R"({"const": {"a": {"b": [1, {}]}, "c": null}})")).has_value()) << style;
  }
}

TEST(Tools, NullMeansNotGiven) {
  const auto grammar =
      compiled("hermes", R"([{"type": null, "function": {"name": "f", "parameters": null, "description": null,
    "strict": null}}, {"name": "g", "parameters": null, "input_schema": null}])",
               {}, {.tool_choice = "null"});
  EXPECT_TRUE(accepts(grammar, "yes"));
  EXPECT_TRUE(accepts(grammar, "<tool_call>\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>"));
  EXPECT_FALSE(accepts(grammar, "<tool_call>\n{\"name\": \"g\", \"arguments\": {\"a\": 1}}\n</tool_call>"));
  EXPECT_TRUE(accepts(compiled("hermes", "null", {}, {}), "yes"));
}

// Errors about schemas lead to the text of the tools, and all wrong tools are reported.
TEST(Tools, ErrorsSayWhatIsWrongWithAName) {
  for (const auto& [name, message] : std::vector<std::pair<std::string, std::string>>{
           {R"("\ud800")", "the `name` of a tool holds half of a surrogate pair, which is no text"},
           {R"("a\udfff")", "the `name` of a tool holds half of a surrogate pair, which is no text"},
           {R"("")", "the `name` of a tool must not be empty"},
           {"5", "the `name` of a tool must be a string"},
           {"null", "a tool must have a `name`"}}) {
    for (const bool is_wrapped : {true, false}) {
      const std::string function = R"({"name": )" + name + "}";
      const std::string tools = "[" + (is_wrapped ? R"({"function": )" + function + "}" : function) + "]";
      for (const std::string_view style : tool_styles()) {
        const auto made = structural_tag_for_tools(style, tools);
        ASSERT_FALSE(made.has_value()) << tools;
        EXPECT_EQ(made.error().message, message) << tools;
        const SourceRange where = made.error().where;
        EXPECT_EQ(tools.substr(where.start, where.end - where.start) == name, name != "null");
      }
    }
  }
}

// The last one counts, so the other would be lost. In a schema that is a warning where the tag is read.
TEST(Tools, MembersThatAreGivenTwiceAreErrors) {
  for (const auto& [tools, member, pointer] : std::vector<std::array<std::string, 3>>{
           {R"([{"function": {"name": "f", "name": "g"}}])", R"("name")", "/0/function/name"},
           {R"([{"name": "f", "parameters": {"type": "object"}, "parameters": {}}])", R"("parameters")",
            "/0/parameters"},
           {R"([{"name": "f"}, {"type": "function", "name": "g", "type": "function"}])", R"("type")", "/1/type"}}) {
    const auto made = structural_tag_for_tools("hermes", tools);
    ASSERT_FALSE(made.has_value()) << tools;
    EXPECT_EQ(made.error().message, "the member " + member + " is given twice");
    EXPECT_EQ(made.error().pointer, pointer);
    EXPECT_EQ(made.error().where.start, tools.rfind(member));
  }
  const std::string tools =
      R"([{"name": "f", "parameters": {"type": "object", "properties": {"a": {}, "a": {"type": "null"}}}}])";
  const auto tag = structural_tag_for_tools("hermes", tools);
  ASSERT_TRUE(tag.has_value()) << tag.error().message;
  const auto grammar = Grammar::from_structural_tag(*tag);
  ASSERT_TRUE(grammar.has_value());
  EXPECT_FALSE(grammar->warnings().empty());
}

TEST(Tools, ValuesThatAreNotToolsAreErrors) {
  for (const auto& [part, around, message] : std::vector<std::array<std::string, 3>>{
           {R"("f")", "[*]", "a tool must be an object"},
           {"null", "[*]", "a tool must be an object"},
           {"[5]", "[*]", "a tool must be an object"},
           {R"("f")", R"([{"type": "function", "function": *}])", "the `function` of a tool must be an object"},
           {R"(["f"])", R"([{"function": *}])", "the `function` of a tool must be an object"},
           {R"({"type": "function"})", "[*]", "a tool must have a `name`"}}) {
    std::string tools = around;
    tools.replace(tools.find('*'), 1, part);
    const auto made = structural_tag_for_tools("hermes", tools);
    ASSERT_FALSE(made.has_value()) << tools;
    EXPECT_EQ(made.error().message, message) << tools;
    EXPECT_EQ(tools.substr(made.error().where.start, part.size()), part);
  }
}

TEST(Tools, ErrorsNameToolArgumentAndKeyword) {
  for (const std::string_view style : tool_styles()) {
    const std::string tools = R"([{"name": "good", "parameters": {"properties": {"a": {}}}},
      {"type": "function", "function": {"name": "f", "parameters": {"properties": {"q": {"minLength": "x"}}}}},
      {"name": "g", "parameters": {"type": "object", "properties": {"r": {"$ref": "#/$defs/none"}}}}, {"name": "good"}])";
    const auto tag = structural_tag_for_tools(style, tools);
    ASSERT_FALSE(tag.has_value()) << style;
    const Error& error = tag.error();
    EXPECT_TRUE(error.message.starts_with("tool `f`, argument `q`: `minLength`")) << error.message;
    EXPECT_EQ(error.pointer, "/1/function/parameters/properties/q/minLength");
    const auto at = [&](std::string_view text) {
      return SourceRange{tools.find(text), tools.find(text) + text.size()};
    };
    EXPECT_EQ(error.where, at("\"x\"")) << style;
    ASSERT_EQ(error.notes.size(), 2U) << style;
    EXPECT_TRUE(error.notes[0].message.starts_with("tool `g`, argument `r`: ")) << error.notes[0].message;
    EXPECT_EQ(error.notes[0].where, at("\"#/$defs/none\"")) << style;
    EXPECT_EQ(error.notes[1].message, "there are two tools `good`");
  }
  // What depends on options is found when the tag is compiled.
  const std::string outside = R"([{"name": "f", "parameters": {"properties": {"q": {"$ref": "urn:x"}}}}])";
  EXPECT_FALSE(compiled("glm", outside).has_value());
  StructuralTagOptions known;
  known.json_schema.documents.push_back({"urn:x", R"({"enum": [1]})"});
  EXPECT_TRUE(accepts(compiled("glm", outside, known),
                      "<tool_call>f\n<arg_key>q</arg_key><arg_value>1</arg_value></tool_call>"));
  const auto unknown = compiled("glm", outside);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_TRUE(unknown.error().message.starts_with("tool `f`, argument `q`: ")) << unknown.error().message;
  EXPECT_EQ(unknown.error().pointer, "/0/parameters/properties/q/$ref");
  // A schema that names no draft is right if some draft has it.
  EXPECT_TRUE(
      structural_tag_for_tools(
          "hermes", R"([{"name": "f", "parameters": {"properties": {"q": {"minimum": 1, "exclusiveMinimum": true}}}}])")
          .has_value());
}

TEST(Tools, LineEndsOfTheTemplateAroundAllValues) {
  const std::string tools =
      R"([{"name": "f", "parameters": {"properties": {"a": {"type": "integer"}, "b": {"type": "array"}}}}])";
  for (const auto whitespace : {JsonSchemaOptions::Whitespace::kNone, JsonSchemaOptions::Whitespace::kCompact,
                                JsonSchemaOptions::Whitespace::kIndented}) {
    for (const char* token : {"<none>", "</parameter>"}) {
      VocabSpec spec;
      for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
      spec.tokens.insert(spec.tokens.end(), {"<eos>", token});
      spec.stop_token_ids = {256};
      spec.special_token_ids = {257};
      const auto tokenizer = TokenizerInfo::from_vocab(std::move(spec));
      ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
      StructuralTagOptions options;
      options.json_schema.whitespace = whitespace;
      const auto tag = structural_tag_for_tools("qwen_coder", tools, {.tool_choice = "\"required\""});
      ASSERT_TRUE(tag.has_value()) << tag.error().message;
      const auto grammar = GrammarCompiler(*tokenizer).compile_structural_tag(*tag, options);
      ASSERT_TRUE(grammar.has_value()) << grammar.error().message;
      GrammarMatcher matcher(*grammar);
      EXPECT_EQ(matcher.accept_bytes("<tool_call>\n<function=f>\n<parameter=a>\n1\n"), Step::kOk) << token;
      matcher.reset();
      EXPECT_EQ(matcher.accept_bytes("<tool_call>\n<function=f>\n<parameter=b>\n[]\n"), Step::kOk) << token;
      matcher.reset();
      EXPECT_NE(matcher.accept_bytes("<tool_call>\n<function=f>\n<parameter=a>\n\n"), Step::kOk) << token;
    }
  }
}

// The schema of an argument is read by itself: reading the whole document for each argument would be quadratic.
TEST(Tools, CompilesAThousandArgumentsInLinearWork) {
  std::string properties;
  for (int i = 0; i < 1000; ++i) {
    properties += (i == 0 ? "\"a" : ", \"a") + std::to_string(i) + R"(": {"type": "string", "enum": ["x", "y"]})";
  }
  const std::string tools = tool_of(R"({"type": "object", "properties": {)" + properties + "}}");
  Limits limits;
  limits.call_work = 1'500'000;
  for (const std::string_view style : {"qwen_coder", "glm", "minimax_m2", "deepseek_v3_2", "kimi_k3"}) {
    const auto tag = structural_tag_for_tools(style, tools);
    ASSERT_TRUE(tag.has_value()) << style << ": " << tag.error().message;
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin(), limits).compile_structural_tag(*tag);
    EXPECT_TRUE(compiled.has_value()) << style << ": " << compiled.error().message;
  }
}

// An argument with an identifier or a reference, and one in a document that names its draft, cannot be read by itself.
TEST(Tools, ReadsArgumentsInTheirDocument) {
  for (const char* parameters : {
           R"({"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}})",
           R"({"properties": {"a": {"$anchor": "n", "type": "integer"}, "b": {"$ref": "#n"}}})",
           R"({"properties": {"a": {"$id": "https://example.com/n", "$ref": "#/$defs/n",
              "$defs": {"n": {"type": "integer"}}}}})",
           R"({"properties": {"a": {"$\u0072ef": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}})",
           R"({"$schema": "http://json-schema.org/draft-04/schema#", "properties":
              {"a": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}}})",
           R"({"properties": {"a": {"type": "integer"}}, "patternProperties": {"^a": {"not": {"$ref": "#/$defs/s"}}},
              "$defs": {"s": {"type": "string"}}})",
       }) {
    const auto tag = structural_tag_for_tools("qwen_coder", tool_of(parameters), {.tool_choice = "\"required\""});
    ASSERT_TRUE(tag.has_value()) << parameters << ": " << tag.error().message;
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(*tag);
    ASSERT_TRUE(compiled.has_value()) << parameters << ": " << compiled.error().message;
    GrammarMatcher matcher(*compiled);
    EXPECT_EQ(matcher.accept_bytes("<tool_call>\n<function=f>\n<parameter=a>1</parameter>"), Step::kOk) << parameters;
    matcher.reset();
    EXPECT_NE(matcher.accept_bytes("<tool_call>\n<function=f>\n<parameter=a>x"), Step::kOk) << parameters;
  }
}

// Each condition splits the values of `kind` further; what is left of them is written as a schema by its origin.
TEST(Tools, DecidesManyConditionsAboutAnOpenString) {
  for (const int count : {3, 6, 40}) {
    std::string conditions;
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      conditions += (i == 0 ? "" : ", ") + (R"({"if": {"properties": {"kind": {"const": "k)" + n) +
                    R"("}}, "required": ["kind"]}, "then": {"required": ["r)" + n + R"("]}})";
    }
    const std::string tools = tool_of(R"({"properties": {"kind": {"type": "string"}},
        "additionalProperties": {"type": "integer"}, "required": ["kind"], "allOf": [)" +
                                      conditions + "]}");
    const auto tag = structural_tag_for_tools("qwen_coder", tools, {.tool_choice = "\"required\""});
    ASSERT_TRUE(tag.has_value()) << count << ": " << tag.error().message;
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(*tag);
    ASSERT_TRUE(compiled.has_value()) << count << ": " << compiled.error().message;
    const auto accepts_call = [&](const std::string& kind, const std::string& rest) {
      GrammarMatcher matcher(*compiled);
      return matcher.accept_bytes("<tool_call>\n<function=f>\n<parameter=kind>\n" + kind + "\n</parameter>\n" + rest +
                                  "</function>\n</tool_call>") == Step::kOk;
    };
    EXPECT_TRUE(accepts_call("k2", "<parameter=r2>\n5\n</parameter>\n")) << count;
    EXPECT_FALSE(accepts_call("k2", "<parameter=r1>\n5\n</parameter>\n")) << count;
    EXPECT_FALSE(accepts_call("k2", "")) << count;
    EXPECT_TRUE(accepts_call("k2x", "")) << count;
    EXPECT_TRUE(accepts_call("k", "")) << count;
  }
}

// A search that met a limit found no value. That does not mean that there is none.
TEST(Tools, NamesTheLimitThatEndedTheSearchForAnArgument) {
  const std::string tools =
      tool_of(R"({"properties": {"a": {"type": "string", "minLength": 100000}}, "required": ["a"]})");
  for (const std::string_view style : {"qwen_coder", "cohere_xml", "glm"}) {
    const auto tag = structural_tag_for_tools(style, tools, {.tool_choice = "\"required\""});
    ASSERT_TRUE(tag.has_value()) << style << ": " << tag.error().message;
    const auto compiled = GrammarCompiler(TokenizerInfo::builtin()).compile_structural_tag(*tag);
    ASSERT_FALSE(compiled.has_value()) << style;
    EXPECT_EQ(compiled.error().code, ErrorCode::kLimitExceeded) << style << ": " << compiled.error().message;
    EXPECT_EQ(compiled.error().limit, "regex_fuel") << style;
  }
}

}  // namespace
}  // namespace weir
