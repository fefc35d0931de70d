// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/sweep/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
#include "tactus/core/random.h"
#include "tactus/core/text.h"

namespace tactus::sweep {
namespace {

constexpr char kSeedKey[] = "seed";
constexpr std::string_view kMissionKey = "autopilot.mission";

bool has_levels(DesignKind kind) {
  return kind == DesignKind::kGrid || kind == DesignKind::kCorners ||
         kind == DesignKind::kOneAtATime;
}

/// Those of the campaign, and the flight's seed unless it stays or is one of them. One that
/// explores compares flights, so it stays.
std::vector<VariedKey> keys_of(const CampaignFile& file, bool explores) {
  std::vector<VariedKey> keys;
  for (const Vary& vary : file.varied) keys.insert(keys.end(), vary.keys.begin(), vary.keys.end());
  const bool varies_itself = std::any_of(keys.begin(), keys.end(),
                                         [](const VariedKey& key) { return key.name == kSeedKey; });
  if (file.flight_seed_varies && !varies_itself && !explores) keys.push_back({kSeedKey});
  return keys;
}

LoadedSpec base_of(const Files& files, const CampaignSource& source) {
  LoadedSpec base = source.resolved_spec.empty()
                        ? load_spec_text(files, source.text, source.file, source.overrides,
                                         source.attached, kCampaignKeys)
                        : load_spec_text(files, source.resolved_spec, source.file, source.overrides,
                                         source.attached);
  base.inputs.push_back({"FILE", source.file});
  return base;
}

double as_number(const TomlNode& node) {
  return node.kind == TomlNode::Kind::kReal ? node.real : static_cast<double>(node.integer);
}

bool is_number(const TomlNode& node) {
  return node.kind == TomlNode::Kind::kReal || node.kind == TomlNode::Kind::kInteger;
}

void add(Digest& digest, const TomlNode& node) { digest.add(to_toml(node)); }

void add(Digest& digest, const Distribution& d) {
  digest.add(d.kind);
  for (const double value :
       {d.low, d.high, d.mode, d.mean, d.standard_deviation, d.median, d.log_standard_deviation}) {
    digest.add(value);
  }
  digest.add(std::span<const double>(d.values));
  digest.add(std::span<const double>(d.weights));
}

void add(Digest& digest, const Vary& vary) {
  digest.add(vary.keys.size());
  for (const VariedKey& key : vary.keys) digest.add(key.name);
  digest.add(vary.relative);
  add(digest, vary.distribution);
  digest.add(vary.levels);
  for (const TomlNode& word : vary.words) add(digest, word);
  if (vary.correlated) {
    // The factor is not told; where it takes the corners of the cube says as much.
    const std::size_t size = vary.correlated->size();
    std::vector<double> z(size);
    std::vector<double> values(size);
    for (std::size_t i = 0; i <= size; ++i) {
      std::fill(z.begin(), z.end(), 0.0);
      if (i < size) z[i] = 1.0;
      vary.correlated->from_standard_normals(z, values);
      digest.add(std::span<const double>(values));
    }
  }
  for (const std::vector<TomlNode>& row : vary.rows) {
    for (const TomlNode& value : row) add(digest, value);
  }
}

void add(Digest& digest, const Measure& measure) {
  digest.add(measure.id);
  digest.add(measure.signal);
  digest.add(measure.kind);
  digest.add(measure.from);
  digest.add(measure.to.has_value());
  digest.add(measure.to.value_or(TimeUs{}));
  digest.add(measure.level);
  digest.add(measure.falls);
  digest.add(measure.percent);
}

}  // namespace

AppliedValue applied_value(const TomlNode& value) {
  // The sign of a zero and NaN are lost in a table.
  if (is_number(value) && !math::is_nan(as_number(value))) return {as_number(value) + 0.0, {}};
  return {std::nullopt, value.kind == TomlNode::Kind::kString ? value.text : to_toml(value)};
}

Campaign::Campaign(const Files& files, const CampaignSource& source)
    : file_(read_campaign_file(files, source.text, source.file, source.attached)),
      spec_(files, base_of(files, source), keys_of(file_, source.explores)),
      explores_(source.explores) {
  if (explores_) file_.design = {.kind = DesignKind::kMonteCarlo, .seed = file_.seed};
  place_varied();
  require_numbers();
  add_missions();
  make_points(source.samples != 0 ? source.samples : file_.samples);
}

Campaign::Campaign(const Files& files, LoadedSpec spec, std::uint64_t first, std::uint64_t count)
    : spec_(files, std::move(spec), std::vector<VariedKey>{{kSeedKey}}),
      size_(count),
      first_seed_(first) {
  TACTUS_ASSERT(count > 0, "seeds to fly");
}

void Campaign::place_varied() {
  std::size_t axis = 0;
  for (const Vary& vary : file_.varied) {
    places_.push_back({key_count_, axis});
    key_count_ += vary.keys.size();
    axis += vary.correlated ? vary.keys.size() : 1;
  }
}

/// A word cannot be drawn from numbers, nor be relative.
void Campaign::require_numbers() const {
  for (std::size_t i = 0; i < file_.varied.size(); ++i) {
    const Vary& vary = file_.varied[i];
    for (std::size_t k = 0; k < vary.keys.size(); ++k) {
      const VariedSlot& slot = spec_.slots()[places_[i].first_key + k];
      const bool listed = !vary.words.empty() || (!vary.rows.empty() && !vary.relative);
      if (listed || slot.kind != VariedKind::kOther) continue;
      throw PlacedError(
          ExitCode::kBadInput, slot.key.at, slot.key.name,
          fmt::format(
              "{}: its value, {}, is no number; give a choice or list of values{}", slot.key.name,
              to_toml(slot.own),
              slot.own.is_array() ? ", or vary its elements: " + slot.key.name + "[0]" : ""));
    }
  }
}

void Campaign::add_missions() {
  for (const Vary& vary : file_.varied) {
    if (vary.keys.front().name != kMissionKey) continue;
    for (const TomlNode& word : vary.words) spec_.add_mission(word);
  }
}

std::vector<DesignAxis> Campaign::axes() const {
  std::vector<DesignAxis> axes;
  const bool levels = has_levels(file_.design.kind);
  for (const Vary& vary : file_.varied) {
    Distribution of_member;
    of_member.kind = DistributionKind::kNormal;
    of_member.standard_deviation = 1.0;
    const Distribution& distribution = vary.correlated ? of_member : vary.distribution;
    const bool listed = distribution.kind == DistributionKind::kList ||
                        distribution.kind == DistributionKind::kChoice;
    if (file_.design.kind == DesignKind::kGrid && vary.levels == 0 && !listed) {
      throw PlacedError(ExitCode::kBadInput, vary.at, "vary.levels",
                        fmt::format("vary.levels: is missing; a grid needs the number of levels "
                                    "of {}",
                                    vary.keys.front().name));
    }
    const std::size_t count = vary.correlated ? vary.keys.size() : 1;
    for (std::size_t k = 0; k < count; ++k) {
      DesignAxis& axis = axes.emplace_back();
      axis.key = vary.keys[k].name;
      if (levels) axis.levels = distribution.level_coordinates(vary.levels == 0 ? 2 : vary.levels);
    }
  }
  return axes;
}

/// Of each replicate.
std::uint64_t Campaign::rows_for(std::uint64_t samples) const {
  const Design& design = file_.design;
  std::size_t axis_count = 0;
  for (const Vary& vary : file_.varied) axis_count += vary.correlated ? vary.keys.size() : 1;
  const std::uint64_t block = design.replicates * (design.saltelli ? axis_count + 2 : 1);
  if (samples % block == 0) return samples / block;
  const std::uint64_t below = samples / block * block;
  throw PlacedError(
      ExitCode::kBadInput, file_.design_at, "design.samples",
      fmt::format("design.samples = {}: must be a multiple of {} ({}); take {} or {}", samples,
                  block, design.saltelli ? "keys + 2, times the replicates" : "the replicates",
                  below == 0 ? block : below, below + block));
}

void Campaign::make_points(std::uint64_t samples) {
  const bool levels = has_levels(file_.design.kind);
  if (samples == 0 && (!levels || file_.varied.empty())) {
    throw PlacedError(ExitCode::kBadInput, file_.design_at, "design.samples",
                      "design.samples: is missing; say how many, here or with --samples");
  }
  if (file_.varied.empty()) {
    size_ = samples;
    return;
  }
  if (file_.design.saltelli) {
    for (const Vary& vary : file_.varied) {
      if (!vary.correlated) continue;
      throw PlacedError(ExitCode::kBadInput, vary.at, "design.saltelli",
                        "keys that vary together have no Sobol' indices of their own; leave "
                        "design.saltelli out, or vary them independently");
    }
  }
  Design design = file_.design;
  if (!levels) design.rows = rows_for(samples);
  try {
    points_.emplace(design, axes());
  } catch (const PlacedError&) {
    throw;
  } catch (const Error& error) {
    throw PlacedError(error.code(), file_.design_at, "design", error.what());
  }
  if (levels && samples != 0 && samples != points_->size()) {
    throw PlacedError(ExitCode::kBadInput, file_.design_at, "design.samples",
                      fmt::format("design.samples = {}: this design has {} samples; leave it out",
                                  samples, points_->size()));
  }
  size_ = points_->size();
}

bool Campaign::can_grow() const {
  if (file_.varied.empty() && !first_seed_) return true;
  return file_.design.kind == DesignKind::kMonteCarlo || file_.design.kind == DesignKind::kSobol;
}

/// Its own stream, so that it moves with nothing else. All points of a Saltelli row fly with the
/// same one: what differs between them is their keys alone.
std::uint64_t Campaign::flight_seed(std::uint64_t index) const {
  if (first_seed_) return *first_seed_ + index;
  const bool by_row = points_ && file_.design.saltelli;
  const PhiloxBlock bits = RandomStream(file_.seed, "sweep flight seed")
                               .bits(by_row ? points_->saltelli_place(index).row : index, 0);
  // Seeds end where the integers of TOML do.
  return (std::uint64_t{bits.word[1] & 0x7FFFFFFFU} << 32) | bits.word[0];
}

SampleInput Campaign::input(std::uint64_t index) const {
  TACTUS_ASSERT(index < size_, "a sample of the campaign");
  if (explores_) {
    TACTUS_ASSERT(
        !chosen_.empty() && index >= chosen_.front().index && index <= chosen_.back().index,
        "a sample that was chosen");
    return chosen_[index - chosen_.front().index];
  }
  SampleInput input;
  input.index = index;
  for (std::size_t i = 0; i < file_.varied.size(); ++i) {
    set_values(index, file_.varied[i], places_[i], input.values);
  }
  input.seed = spec_.slots().size() > key_count_ ? flight_seed(index) : seed_in(input.values);
  return input;
}

/// That of the spec, unless it is one of the varied keys.
std::uint64_t Campaign::seed_in(std::span<const TomlNode> values) const {
  for (std::size_t k = 0; k < key_count_; ++k) {
    if (spec_.slots()[k].key.name != kSeedKey) continue;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(values[k].integer, 0));
  }
  return spec_.base().spec.seed;
}

TomlNode Campaign::scaled_to(const Vary& vary, std::size_t key, double value) const {
  const VariedSlot& slot = spec_.slots()[key];
  return number_for(slot, vary.relative ? value * as_number(slot.own) : value);
}

void Campaign::set_values(std::uint64_t index, const Vary& vary, const VaryPlace& place,
                          std::vector<TomlNode>& values) const {
  if (vary.correlated) {
    std::vector<double> u(vary.keys.size());
    std::vector<double> drawn(vary.keys.size());
    bool moves = false;
    for (std::size_t k = 0; k < u.size(); ++k) {
      u[k] = points_->coordinate(index, place.first_axis + k);
      moves = moves || points_->moves(index, place.first_axis + k);
    }
    vary.correlated->quantiles(u, drawn);
    for (std::size_t k = 0; k < u.size(); ++k) {
      const std::size_t key = place.first_key + k;
      values.push_back(moves ? scaled_to(vary, key, drawn[k]) : spec_.slots()[key].own);
    }
    return;
  }
  const bool moves = points_->moves(index, place.first_axis);
  const double drawn = vary.distribution.quantile(points_->coordinate(index, place.first_axis));
  if (moves) return add_values(vary, place, drawn, values);
  for (std::size_t k = 0; k < vary.keys.size(); ++k) {
    values.push_back(spec_.slots()[place.first_key + k].own);
  }
}

void Campaign::add_values(const Vary& vary, const VaryPlace& place, double drawn,
                          std::vector<TomlNode>& values) const {
  for (std::size_t k = 0; k < vary.keys.size(); ++k) {
    const std::size_t key = place.first_key + k;
    if (!vary.rows.empty()) {
      const TomlNode& value = vary.rows[static_cast<std::size_t>(drawn)][k];
      const bool number = is_number(value) && spec_.slots()[key].kind != VariedKind::kOther;
      values.push_back(number ? scaled_to(vary, key, as_number(value)) : value);
    } else if (!vary.words.empty()) {
      values.push_back(vary.words[static_cast<std::size_t>(drawn)]);
    } else {
      values.push_back(scaled_to(vary, key, drawn));
    }
  }
}

void Campaign::choose(std::uint64_t first, std::span<const std::vector<double>> points) {
  TACTUS_ASSERT(explores_, "a campaign that explores");
  chosen_.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    chosen_.push_back(input_at(first + i, points[i]));
  }
}

SampleInput Campaign::input_at(std::uint64_t index, std::span<const double> z) const {
  TACTUS_ASSERT(points_ && z.size() == points_->axis_count(), "a coordinate per axis");
  SampleInput input;
  input.index = index;
  for (std::size_t i = 0; i < file_.varied.size(); ++i) {
    const Vary& vary = file_.varied[i];
    const std::span<const double> own = z.subspan(places_[i].first_axis);
    if (!vary.correlated) {
      add_values(vary, places_[i], vary.distribution.from_standard_normal(own.front()),
                 input.values);
      continue;
    }
    std::vector<double> drawn(vary.keys.size());
    vary.correlated->from_standard_normals(own.first(drawn.size()), drawn);
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      input.values.push_back(scaled_to(vary, places_[i].first_key + k, drawn[k]));
    }
  }
  input.seed = seed_in(input.values);
  return input;
}

SampleInput Campaign::input_of(std::uint64_t index, std::uint64_t seed,
                               std::span<const AppliedValue> applied) const {
  TACTUS_ASSERT(applied.size() == key_count_, "a value per key");
  SampleInput input;
  input.index = index;
  input.seed = seed;
  for (std::size_t k = 0; k < key_count_; ++k) {
    const VariedSlot& slot = spec_.slots()[k];
    const AppliedValue& value = applied[k];
    if (value.number && slot.kind != VariedKind::kOther) {
      input.values.push_back(number_for(slot, *value.number));
      continue;
    }
    std::optional<TomlNode> node;
    if (slot.own.kind != TomlNode::Kind::kString) node = parse_toml_value(value.text);
    if (!node) {
      node.emplace();
      node->kind = TomlNode::Kind::kString;
      node->text = value.text;
    }
    input.values.push_back(*std::move(node));
  }
  return input;
}

LoadedSpec Campaign::spec(const SampleInput& input, bool with_texts) const {
  std::vector<TomlNode> values = input.values;
  if (values.size() < spec_.slots().size()) {
    TomlNode seed;
    seed.kind = TomlNode::Kind::kInteger;
    seed.integer = static_cast<std::int64_t>(input.seed);
    values.push_back(std::move(seed));
  }
  return spec_.with(values, with_texts);
}

Digest128 Campaign::digest() const {
  Digest digest;
  digest.add(explores_ ? "tactus exploring campaign 1" : "tactus campaign 1");
  digest.add_fields(spec_.base().spec.digest);
  digest.add(file_.seed);
  digest.add(file_.flight_seed_varies);
  digest.add(file_.design.kind);
  digest.add(file_.design.replicates);
  digest.add(file_.design.saltelli);
  digest.add(can_grow() ? std::uint64_t{0} : size_);
  digest.add(file_.varied.size());
  for (const Vary& vary : file_.varied) add(digest, vary);
  digest.add(file_.measures.size());
  for (const Measure& measure : file_.measures) add(digest, measure);
  return digest.result();
}

std::string Campaign::why_nothing_varies() const {
  const bool seed_varies = spec_.slots().size() > key_count_;
  if (key_count_ > 0 || seed_varies) return "";
  return "nothing varies, so all flights are the same one: give [[vary]], or flight_seed = "
         "\"varies\" in [campaign]";
}

}  // namespace tactus::sweep
