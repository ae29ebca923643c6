// The subcommands of `weir`. Each is one file and one namespace; its function `add` adds it to the parser.
#ifndef WEIR_APPS_WEIR_COMMANDS_H_
#define WEIR_APPS_WEIR_COMMANDS_H_

#include "command.h"

namespace weir::cli {

namespace validate {
Command add(CLI::App& root);
}
namespace mask {
Command add(CLI::App& root);
}
namespace generate {
Command add(CLI::App& root);
}
namespace cases {
Command add(CLI::App& root);
}
namespace check {
Command add(CLI::App& root);
}
namespace convert {
Command add(CLI::App& root);
}
namespace explain {
Command add(CLI::App& root);
}
namespace tokenizer {
Command add(CLI::App& root);
}
namespace inspect {
Command add(CLI::App& root);
}
namespace index {
Command add(CLI::App& root);
}
namespace tools {
Command add(CLI::App& root);
}
namespace read {
Command add(CLI::App& root);
}
namespace bench {
Command add(CLI::App& root);
}

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_COMMANDS_H_
