#include "frontend/json_schema/source/uri.h"

namespace weir::frontend::json_schema {

namespace {

bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Returns true if `text` is a scheme (section 3.1): ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ).
bool is_scheme(std::string_view text) {
  if (text.empty() || !is_alpha(text.front())) return false;
  for (const char c : text) {
    if (!is_alpha(c) && !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.') return false;
  }
  return true;
}

/// Splits `text` at the first of `delimiters`. Sets `before` to the part before it and returns the rest, which begins
/// with the delimiter.
std::string_view split(std::string_view text, std::string_view delimiters, std::string_view& before) {
  const std::size_t end = text.find_first_of(delimiters);
  before = text.substr(0, end);
  return end == std::string_view::npos ? std::string_view() : text.substr(end);
}

/// Removes the segments `.` and `..` (section 5.2.4).
std::string remove_dot_segments(std::string_view in) {
  std::string out;
  const auto drop_last = [&] { out.erase(out.rfind('/') == std::string::npos ? 0 : out.rfind('/')); };
  while (!in.empty()) {
    if (in.starts_with("../")) {
      in.remove_prefix(3);
    } else if (in.starts_with("./") || in.starts_with("/./")) {
      in.remove_prefix(2);
    } else if (in == "/.") {
      in = "/";
    } else if (in.starts_with("/../")) {
      in.remove_prefix(3);
      drop_last();
    } else if (in == "/..") {
      in = "/";
      drop_last();
    } else if (in == "." || in == "..") {
      in = "";
    } else {
      const std::size_t end = in.find('/', 1);
      out += in.substr(0, end);
      in = end == std::string_view::npos ? std::string_view() : in.substr(end);
    }
  }
  return out;
}

/// Merges a relative path with the base's path (section 5.2.3).
std::string merge_paths(const Uri& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  return (slash == std::string::npos ? std::string() : base.path.substr(0, slash + 1)) + std::string(path);
}

}  // namespace

Uri parse_uri(std::string_view text) {
  Uri uri;
  std::string_view part;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos && is_scheme(text.substr(0, colon))) {
    uri.scheme = text.substr(0, colon);
    text.remove_prefix(colon + 1);
  }
  if (text.starts_with("//")) {
    text = split(text.substr(2), "/?#", part);
    uri.authority = part;
  }
  text = split(text, "?#", part);
  uri.path = part;
  if (text.starts_with('?')) {
    text = split(text.substr(1), "#", part);
    uri.query = part;
  }
  if (text.starts_with('#')) uri.fragment = text.substr(1);
  return uri;
}

Uri resolve_uri(const Uri& base, const Uri& reference) {
  Uri target = reference;
  if (reference.scheme || reference.authority) {
    if (!reference.scheme) target.scheme = base.scheme;
    target.path = remove_dot_segments(reference.path);
    return target;
  }
  target.scheme = base.scheme;
  target.authority = base.authority;
  if (reference.path.empty()) {
    target.path = base.path;
    if (!reference.query) target.query = base.query;
  } else if (reference.path.front() == '/') {
    target.path = remove_dot_segments(reference.path);
  } else {
    target.path = remove_dot_segments(merge_paths(base, reference.path));
  }
  return target;
}

std::string to_string(const Uri& uri) {
  std::string text;
  if (uri.scheme) text += *uri.scheme + ":";
  if (uri.authority) text += "//" + *uri.authority;
  text += uri.path;
  if (uri.query) text += "?" + *uri.query;
  if (uri.fragment) text += "#" + *uri.fragment;
  return text;
}

}  // namespace weir::frontend::json_schema
