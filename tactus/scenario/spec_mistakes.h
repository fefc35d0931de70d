// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Mistakes of a spec, collected so that one does not hide the next: what is wrong is left out.

#include <string>
#include <vector>

#include "tactus/scenario/toml_document.h"

namespace tactus {

class SpecMistakes {
 public:
  /// Runs a check; false: it threw, and its mistake is kept.
  template <class Check>
  bool collect(Check&& check) {
    try {
      check();
      return true;
    } catch (const PlacedError& mistake) {
      add(mistake);
      return false;
    }
  }
  void add(const PlacedError& mistake) { found_.push_back(mistake); }
  /// A whole table was left out: what refers to it is not wrong because of that.
  void lose_table() { lost_table_ = true; }
  [[nodiscard]] bool lost_table() const { return lost_table_; }

  /// In the order in which they were found.
  [[nodiscard]] const std::vector<PlacedError>& found() const { return found_; }
  /// By file, line and column, each once; those of the command line last.
  [[nodiscard]] std::vector<Error> sorted() const;

 private:
  std::vector<PlacedError> found_;
  bool lost_table_ = false;
};

}  // namespace tactus
