// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// Many processes, on many machines, that mpirun has started. Rank 0 hands out samples and writes;
// it flies nothing, and sleeps between its probes. An extra: compiled in where the build finds
// OpenMPI (cmake/extras.cmake).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "tactus/sweep/fly_campaign.h"

namespace tactus::cli {

class MpiSession {
 public:
  using Fly = std::function<std::optional<sweep::SampleResult>(std::uint64_t index)>;

  /// None: this process is not one of several. Throws Error(kEnvironment) if it is and this program
  /// lacks MPI: every one of them would fly the whole campaign.
  static std::unique_ptr<MpiSession> begin();
  /// Of rank 0: sends those away that are still waiting.
  virtual ~MpiSession() = default;

  /// Rank 0.
  [[nodiscard]] virtual bool writes() const = 0;
  /// Of rank 0.
  [[nodiscard]] virtual sweep::FlyAll hand_out() = 0;
  /// Of all others: until there is nothing left.
  virtual void work(const Fly& fly) = 0;
};

}  // namespace tactus::cli
