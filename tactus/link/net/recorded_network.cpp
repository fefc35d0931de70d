// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Apart from the others because it needs no socket.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "tactus/core/error.h"
#include "tactus/link/net/outside_network.h"

namespace tactus {
namespace {

constexpr std::size_t kMostMessage = conductor::kBufferBytes / 2;  // of a recording

}  // namespace

void RecordedNetwork::receive(TimeUs now, std::vector<Message>& messages) {
  const auto before = [](const ReceivedBytes& piece, TimeUs time) { return piece.time < time; };
  auto piece = std::lower_bound(received_->begin(), received_->end(), now, before);
  for (; piece != received_->end() && piece->time == now; ++piece) {
    std::span<const std::byte> left = piece->bytes;
    while (!left.empty()) {
      Message message{};
      if (left.size() >= sizeof message.header) {
        std::memcpy(&message.header, left.data(), sizeof message.header);
        left = left.subspan(sizeof message.header);
      } else {
        message.header.bytes = UINT32_MAX;
      }
      if (message.header.bytes > left.size() || message.header.bytes > kMostMessage) {
        throw Error(ExitCode::kBadInput,
                    fmt::format("what came from outside at t = {} is damaged in the recording",
                                to_text(now)));
      }
      const auto bytes = left.first(message.header.bytes);
      message.bytes.assign(bytes.begin(), bytes.end());
      left = left.subspan(bytes.size());
      messages.push_back(std::move(message));
    }
  }
}

}  // namespace tactus
