// How --help looks: what is required comes first, and descriptions are wrapped, so that no line of options is longer than
// a terminal of 100 columns.
#ifndef WEIR_APPS_SUPPORT_HELP_H_
#define WEIR_APPS_SUPPORT_HELP_H_

namespace CLI {
class App;
}

namespace weir::cli {

/// Call it before subcommands are added, which inherit it.
void set_help_format(CLI::App& app);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_HELP_H_
