// The experiments of `weir-bench`, one file each. Each adds its own subcommand to the parser (see command.h).
#ifndef WEIR_BENCH_EXPERIMENTS_EXPERIMENTS_H_
#define WEIR_BENCH_EXPERIMENTS_EXPERIMENTS_H_

#include "command.h"

namespace weir::cli {

namespace bench_accelerators {
Command add(CLI::App& bench);
}
namespace bench_batch {
Command add(CLI::App& bench);
}
namespace bench_budgets {
Command add(CLI::App& bench);
}
namespace bench_canonical {
Command add(CLI::App& bench);
}
namespace bench_fidelity {
Command add(CLI::App& bench);
}
namespace bench_growth {
Command add(CLI::App& bench);
}
namespace bench_homomorphism {
Command add(CLI::App& bench);
}
namespace bench_masks {
Command add(CLI::App& bench);
}
namespace bench_memory {
Command add(CLI::App& bench);
}
namespace bench_replies {
Command add(CLI::App& bench);
}
namespace bench_threads {
Command add(CLI::App& bench);
}

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_EXPERIMENTS_H_
