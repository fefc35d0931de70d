// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

namespace tactus {

/// A file that the spec names, carried along so that a recording stands alone.
struct AttachedFile {
  std::string name;  ///< as the spec names it
  std::string content;
  bool operator==(const AttachedFile&) const = default;
};

}  // namespace tactus
