// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// External autopilots and ground stations are other people's bits: these programs fly the built-in
// autopilot alone.

#include "tactus/flight/external/external_autopilots.h"
#include "tactus/link/net/outside_network.h"

namespace tactus {

std::shared_ptr<const ExternalAutopilots> external_autopilots(
    ExternalAutopilotOptions /*options*/) {
  return nullptr;
}

void RecordedNetwork::receive(TimeUs /*now*/, std::vector<Message>& /*messages*/) {}

}  // namespace tactus
