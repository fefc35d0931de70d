// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Small programs in C, compiled by the test that needs one of its own kind.

#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace tactus::testing {

/// Makes FOLDER/NAME of the source. False: no C compiler is here.
inline bool compile_program(const std::string& folder, const std::string& name,
                            std::string_view source, const std::string& options = "") {
  const std::string file = folder + "/" + name + ".c";
  std::ofstream(file) << source;
  const std::string command =
      "cd '" + folder + "' && cc '" + file + "' -o '" + name + "' " + options + " >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

}  // namespace tactus::testing
