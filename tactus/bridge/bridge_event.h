// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <cstdint>
#include <string>

#include "tactus/core/time.h"

namespace tactus {

/// Something that the user wants to find again: a miss, a recovery, a drop.
struct BridgeEvent {
  TimeUs time;
  std::string who;   ///< "simulator left", "vehicle 3"
  std::string what;  ///< "no answer within 10s …"
};

/// The bridge stood still for somebody, in wall time.
struct BridgeWait {
  TimeUs time;
  std::string who;
  std::uint64_t ns = 0;
};

}  // namespace tactus
