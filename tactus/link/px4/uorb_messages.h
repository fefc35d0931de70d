// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The messages that are exchanged with PX4, as data: those of PX4 1.17 (alpha 1), on which the
// library is based. A user with another version names the folder of its .msg files, which then
// come first.

#include <string>
#include <string_view>

#include "tactus/link/px4/uorb_layout.h"

namespace tactus {

/// "vehicle_attitude" is defined by "VehicleAttitude".
std::string message_of_topic(std::string_view topic);

class UorbCatalog {
 public:
  /// `folder` holds Name.msg or versioned/Name.msg; empty: only the definitions held here. Throws
  /// Error(kEnvironment) if it is not a folder.
  explicit UorbCatalog(std::string folder = {});

  /// Throws Error(kBadInput) if the message is not defined or its file is wrong.
  [[nodiscard]] UorbLayout layout(std::string_view topic) const;

  /// Where the definition of a topic comes from, for messages: a file, or "Tactus".
  [[nodiscard]] std::string origin(std::string_view topic) const;

 private:
  [[nodiscard]] std::string file_of(const std::string& message) const;
  [[nodiscard]] UorbDefinition definition(const std::string& message) const;

  std::string folder_;
};

}  // namespace tactus
