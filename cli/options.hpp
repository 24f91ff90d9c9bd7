// What the command line says: one flag for every row of the table of settings, and the flags about files and output.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ellzero/pool.hpp"
#include "ellzero/settings.hpp"
#include "io/table/read_options.hpp"

namespace ellzero::cli {

struct Options {
  std::string data;
  io::table::ReadOptions read;
  Settings settings;
  bool gap_given = false;            ///< the user asked for just this gap
  bool loss_given = false;           ///< and for just this loss
  std::vector<std::string> always;   ///< names or indices: they wait for the file that knows them
  std::string model;                 ///< file to write the model to; empty: none
  std::string proof;                 ///< file to write the proof to; empty: none
  std::string trace;                 ///< file to write the trace of a published method to; empty: none
  bool every_k = false;              ///< the best model of every size in place of one
  std::optional<PoolSettings> pool;  ///< every model within a margin in place of one
  std::string format = "text";
  std::string progress = "auto";
  std::string color = "auto";
  bool quiet = false;
  bool verbose = false;
};

/// The command is fit, prove, path or cv; each knows the flags that mean something to it. Nothing when help or version
/// was asked for (and printed). Throws Error(Usage), with a suggestion for what is misspelt, and Error(InputOutput) for
/// a --config file that cannot be read.
std::optional<Options> parse_options(std::string_view command, std::string_view summary,
                                     std::vector<std::string> arguments);

}  // namespace ellzero::cli
