// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

#include <string>

#include "tactus/core/time.h"

namespace tactus {

/// Something that the user wants to find again: a miss, a recovery, a drop.
struct BridgeEvent {
  TimeUs time;
  std::string who;   ///< "simulator left", "vehicle 3"
  std::string what;  ///< "no answer within 10s …"
};

}  // namespace tactus
