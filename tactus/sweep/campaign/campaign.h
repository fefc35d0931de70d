// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// A campaign: a spec, what varies in it and how, and what is measured. What a sample flies is a
// pure function of (campaign, index); nothing is stored per sample and nothing is parsed for it.
//
//   const Campaign campaign(disk_files(), {.text = text, .file = path});
//   const SampleInput input = campaign.input(4711);
//   const LoadedSpec loaded = campaign.spec(input);      throws for a value that is refused
//
// Any number of threads may ask.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tactus/core/digest.h"
#include "tactus/core/files.h"
#include "tactus/spec/reader/load_spec.h"
#include "tactus/spec/reader/spec_template.h"
#include "tactus/sweep/campaign/campaign_file.h"
#include "tactus/sweep/design/point_set.h"

namespace tactus::sweep {

struct CampaignSource {
  std::string_view text;  ///< of the campaign file
  std::string file;       ///< for messages and for files beside it
  std::span<const Override> overrides{};
  std::uint64_t samples = 0;  ///< 0: as the file says
  /// Samples are chosen one after the other, as in a search; the [design] is not asked.
  bool explores = false;
  /// A campaign that was written down: its spec, resolved, and all files that both name.
  std::string_view resolved_spec = {};
  std::vector<AttachedFile> attached = {};
};

/// A value that a key gets; the text of a word, else a number.
struct AppliedValue {
  std::optional<double> number;
  std::string text;  ///< as TOML, of what is no number

  bool operator==(const AppliedValue&) const = default;
};

/// What is special about a sample.
struct SampleInput {
  std::uint64_t index = 0;
  std::uint64_t seed = 0;        ///< of the flight
  std::vector<TomlNode> values;  ///< by key of the campaign
};

AppliedValue applied_value(const TomlNode& value);

class Campaign {
 public:
  /// `files` must outlive it. Throws PlacedError with the place of the mistake.
  Campaign(const Files& files, const CampaignSource& source);
  /// One flight per seed of a spec, from `first` on.
  Campaign(const Files& files, LoadedSpec spec, std::uint64_t first, std::uint64_t count);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Whether more samples may follow without changing those that there are.
  [[nodiscard]] bool can_grow() const;
  [[nodiscard]] const CampaignFile& file() const { return file_; }
  /// The spec as it is written, before anything varies.
  [[nodiscard]] const LoadedSpec& base() const { return spec_.base(); }
  /// Of the campaign, in the order of the file; not the flight's seed.
  [[nodiscard]] std::span<const VariedSlot> keys() const {
    return std::span(spec_.slots()).first(key_count_);
  }
  [[nodiscard]] const PointSet* points() const { return points_ ? &*points_ : nullptr; }

  /// Of one that explores: a sample that was chosen.
  [[nodiscard]] SampleInput input(std::uint64_t index) const;
  [[nodiscard]] bool explores() const { return explores_; }
  /// Of one that explores: the samples from `first` on are these points of the space of standard
  /// normal variables, one per axis. All fly with the seed of the spec. Not while others ask.
  void choose(std::uint64_t first, std::span<const std::vector<double>> points);
  /// Of values that were applied once, as a table holds them.
  [[nodiscard]] SampleInput input_of(std::uint64_t index, std::uint64_t seed,
                                     std::span<const AppliedValue> applied) const;
  /// Throws PlacedError(kBadInput) for a value that a file could not have either.
  [[nodiscard]] LoadedSpec spec(const SampleInput& input, bool with_texts = false) const;

  /// Of everything that decides what samples are, their number aside where it decides nothing.
  [[nodiscard]] Digest128 digest() const;
  /// Empty: something varies. Else what to do about it.
  [[nodiscard]] std::string why_nothing_varies() const;

 private:
  /// Axes of the design that belong to a [[vary]].
  struct VaryPlace {
    std::size_t first_key = 0;
    std::size_t first_axis = 0;
  };

  void place_varied();
  void require_numbers() const;
  void add_missions();
  void make_points(std::uint64_t samples);
  [[nodiscard]] std::vector<DesignAxis> axes() const;
  [[nodiscard]] std::uint64_t rows_for(std::uint64_t samples) const;
  [[nodiscard]] std::uint64_t flight_seed(std::uint64_t index) const;
  [[nodiscard]] std::uint64_t seed_in(std::span<const TomlNode> values) const;
  [[nodiscard]] SampleInput input_at(std::uint64_t index, std::span<const double> z) const;
  void set_values(std::uint64_t index, const Vary& vary, const VaryPlace& place,
                  std::vector<TomlNode>& values) const;
  /// The drawn number of a [[vary]] becomes the values of its keys.
  void add_values(const Vary& vary, const VaryPlace& place, double drawn,
                  std::vector<TomlNode>& values) const;
  [[nodiscard]] TomlNode scaled_to(const Vary& vary, std::size_t key, double value) const;

  CampaignFile file_;
  SpecTemplate spec_;
  std::size_t key_count_ = 0;
  std::vector<VaryPlace> places_;  ///< by vary
  std::optional<PointSet> points_;
  std::uint64_t size_ = 0;
  std::optional<std::uint64_t> first_seed_;  ///< flights by seed
  bool explores_ = false;
  std::vector<SampleInput> chosen_;  ///< of one that explores: those that are flown now
};

}  // namespace tactus::sweep
