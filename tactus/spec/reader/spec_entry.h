// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// One [[event]] or [[expect]] while it is read: which of its keys were given, and what is refused.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tactus/core/error.h"
#include "tactus/core/text.h"
#include "tactus/signal/bus.h"
#include "tactus/spec/schema/spec_places.h"

namespace tactus {

using Keys = std::vector<std::string_view>;

inline bool contains(const Keys& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Keys that belong to one choice: those it needs and those it may have.
struct Use {
  Keys needed;
  Keys optional;
};

/// Reads one entry of a list.
class Entry {
 public:
  Entry(const SpecPlaces& places, std::string path) : places_(&places), path_(std::move(path)) {}

  [[nodiscard]] std::string key(std::string_view name) const { return join_key(path_, name); }
  [[nodiscard]] bool given(std::string_view name) const { return places_->given(key(name)); }
  [[nodiscard]] std::string where() const { return places_->where(path_); }
  [[noreturn]] void refuse(std::string_view name, std::string_view reason) const {
    places_->refuse(key(name), reason);
  }

  /// Of the keys in `scope`, `use` says which are allowed; `what` names the choice.
  void require_use(const Keys& scope, const Use& use, const std::string& what) const {
    for (const std::string_view name : use.needed) {
      if (!given(name)) {
        places_->refuse_missing(key(name), fmt::format("{} needs it", what));
      }
    }
    for (const std::string_view name : scope) {
      if (!given(name) || contains(use.needed, name) || contains(use.optional, name)) continue;
      Keys allowed = use.needed;
      allowed.insert(allowed.end(), use.optional.begin(), use.optional.end());
      refuse(name, fmt::format("{} does not use it (it uses {})", what,
                               allowed.empty() ? "none of these keys"
                                               : fmt::format("{}", fmt::join(allowed, ", "))));
    }
  }

  void require_within(std::string_view name, double value, double low, double high) const {
    if (value >= low && value <= high) return;
    refuse(name, fmt::format("must lie between {} and {}", low, high));
  }

  void require_not_longer(std::string_view name, const Vec3& vector, double highest) const {
    if (norm(vector) <= highest) return;
    refuse(name, fmt::format("must not be longer than {}", highest));
  }

  void require_known(std::string_view name, const std::string& id,
                     const std::vector<std::string>& ids, const char* what) const {
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) return;
    refuse(name, did_you_mean(fmt::format("there is no {} of this id", what), id, ids));
  }

  void require_signal(std::string_view name, const std::string& signal,
                      const std::vector<BusLeaf>& leaves) const {
    try {
      find_leaf(leaves, signal, key(name));
    } catch (const Error& error) {
      throw PlacedError(error.code(), places_->at(key(name)), key(name), error.what());
    }
  }

  void require_positive(std::string_view name, DurationUs duration) const {
    if (duration.us == 0) refuse(name, "must be greater than zero");
  }

 private:
  const SpecPlaces* places_;
  std::string path_;
};

}  // namespace tactus
