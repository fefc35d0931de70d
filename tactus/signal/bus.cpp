// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/signal/bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/text.h"

namespace tactus {
namespace {

template <class T>
double load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}

/// How many elements the vehicle has of an array.
int length_of(std::string_view array, const VehicleCounts& counts) {
  const SignalFacts* const facts = facts_of_leaf(array);
  TACTUS_ASSERT(facts != nullptr, "an array of the bus");
  if (array == facts->name) return count_of(counts, facts->count);
  return part_of_leaf(array).length(counts);
}

/// Whether the vehicle has the element that a leaf belongs to: "esc[3].speed_rad_s".
bool exists(const std::string& name, const VehicleCounts& counts) {
  const std::size_t open = name.find('[');
  if (open == std::string::npos) return true;
  const std::string index = name.substr(open + 1, name.find(']') - open - 1);
  const auto length = static_cast<std::uint64_t>(length_of(name.substr(0, open), counts));
  return parse_uint64(index, name) < length;
}

}  // namespace

std::size_t size_of(BusLeaf::Kind kind) {
  switch (kind) {
    case BusLeaf::Kind::kReal:
    case BusLeaf::Kind::kU64: return 8;
    case BusLeaf::Kind::kI32:
    case BusLeaf::Kind::kU32: return 4;
    case BusLeaf::Kind::kBool:
    case BusLeaf::Kind::kU8: return 1;
  }
  return 0;
}

std::string to_text(SignalSet signals) {
  std::string text;
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    if (!signals.has(signal)) continue;
    if (!text.empty()) text += ", ";
    text += to_text(signal);
  }
  return text;
}

SignalSet signals_from_text(std::string_view text) {
  SignalSet signals;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    for (std::size_t i = 0; i < kSignals; ++i) {
      const auto signal = static_cast<Signal>(i);
      if (text.substr(begin, end - begin) == to_text(signal)) {
        signals = signals | SignalSet::of(signal);
      }
    }
    begin = end + 2;
  }
  return signals;
}

void BusPort::refuse(const char* what, Signal signal) const {
  throw Error(ExitCode::kRunStopped,
              fmt::format("t = {} us: source \"{}\" wants to {} {} without having declared it; its "
                          "info() must list every signal it uses",
                          bus_->time.us, owner_, what, to_text(signal)));
}

double BusLeaf::value(const Bus& bus) const {
  TACTUS_ASSERT(offset + size_of(kind) <= sizeof(Bus), "a leaf of the bus");
  const std::byte* const from = reinterpret_cast<const std::byte*>(&bus) + offset;
  switch (kind) {
    case Kind::kReal: return load<double>(from);
    case Kind::kBool: return load<bool>(from);
    case Kind::kU8: return load<std::uint8_t>(from);
    case Kind::kI32: return load<std::int32_t>(from);
    case Kind::kU32: return load<std::uint32_t>(from);
    case Kind::kU64: return load<std::uint64_t>(from);
  }
  return 0.0;
}

std::vector<BusLeaf> bus_leaves(const VehicleCounts& counts) {
  const Bus bus;
  std::vector<BusLeaf> leaves;
  for_each_leaf(bus, [&](const LeafPath& path, const auto& value) {
    using T = std::remove_cvref_t<decltype(value)>;
    const std::ptrdiff_t offset =
        reinterpret_cast<const std::byte*>(&value) - reinterpret_cast<const std::byte*>(&bus);
    std::string name = path.text();
    if (name == "version" || !exists(name, counts)) return;
    leaves.push_back({std::move(name), path.unit, path.meaning, static_cast<std::size_t>(offset),
                      leaf_kind<T>()});
  });
  return leaves;
}

const SignalFacts* facts_of_leaf(std::string_view leaf) {
  const std::string_view first = leaf.substr(0, leaf.find_first_of(".["));
  for (const SignalFacts& facts : kSignalFacts) {
    if (first == facts.name) return &facts;
  }
  return nullptr;
}

PartFacts part_of_leaf(std::string_view leaf) {
  const SignalFacts* const facts = facts_of_leaf(leaf);
  const std::size_t dot = leaf.find('.');
  if (facts == nullptr || dot == std::string_view::npos) return {};
  const std::string_view rest = leaf.substr(dot + 1);
  const std::string_view name = rest.substr(0, rest.find_first_of(".["));
  PartFacts found;
  for_each_signal([&](const auto& row) {
    using Fields = std::remove_all_extents_t<std::remove_cvref_t<decltype(Bus{}.*row.member)>>;
    if (row.facts.signal == facts->signal) found = part_facts<Fields>(name);
  });
  return found;
}

bool BusLeaf::may_be_nan() const {
  if (kind != Kind::kReal) return false;
  const SignalFacts* const facts = facts_of_leaf(name);
  return facts != nullptr && facts->may_be_nan;
}

std::vector<BusLeaf> leaves_of(Signal signal, const std::vector<BusLeaf>& leaves) {
  std::vector<BusLeaf> own;
  for (const BusLeaf& leaf : leaves) {
    const SignalFacts* const facts = facts_of_leaf(leaf.name);
    if (facts != nullptr && facts->signal == signal) own.push_back(leaf);
  }
  return own;
}

std::vector<BusLeaf> leaves_of(SignalSet signals, const std::vector<BusLeaf>& leaves) {
  std::vector<BusLeaf> own;
  for (std::size_t i = 0; i < kSignals; ++i) {
    const auto signal = static_cast<Signal>(i);
    if (!signals.has(signal)) continue;
    for (BusLeaf& leaf : leaves_of(signal, leaves)) own.push_back(std::move(leaf));
  }
  return own;
}

BusDigest::BusDigest(const VehicleCounts& counts) {
  for_each_count(counts, [](const char*, const char*, int count, int most) {
    TACTUS_ASSERT(count >= 0 && count <= most, "parts that have room on the bus");
  });
  std::size_t begin = 0;
  std::size_t end = 0;
  for (const BusLeaf& leaf : bus_leaves(counts)) {
    // Everything else was found finite when it was written (signal/validator.h).
    const bool may_be_nan = leaf.may_be_nan();
    TACTUS_ASSERT(leaf.offset >= end, "leaves in the order of the bus");
    if (may_be_nan || leaf.offset != end) {
      add_run(begin, end - begin);
      begin = end = leaf.offset;
    }
    end += size_of(leaf.kind);
    if (!may_be_nan) continue;
    reals_.push_back({begin, size_});
    size_ += end - begin;
    begin = end;
  }
  add_run(begin, end - begin);
  TACTUS_ASSERT(size_ <= sizeof(Bus), "what is added has room");
}

void BusDigest::add_run(std::size_t from, std::size_t size) {
  TACTUS_ASSERT(from + size <= sizeof(Bus), "bytes of the bus");
  for (std::size_t k = 0; k < kPieceSizes; ++k) {
    const std::size_t piece = std::size_t{32} >> k;
    for (; size >= piece; size -= piece) {
      pieces_[k].push_back({from, size_});
      from += piece;
      size_ += piece;
    }
  }
}

void BusDigest::add(const Bus& bus, Digest& digest) const {
  static_assert(std::endian::native == std::endian::little, "a digest is over little-endian bytes");
  const std::byte* const from = reinterpret_cast<const std::byte*>(&bus);
  std::byte packed[sizeof(Bus)];
  const auto copy = [&]<std::size_t size>(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) std::memcpy(packed + piece.to, from + piece.from, size);
  };
  copy.template operator()<32>(pieces_[0]);
  copy.template operator()<16>(pieces_[1]);
  copy.template operator()<8>(pieces_[2]);
  copy.template operator()<4>(pieces_[3]);
  copy.template operator()<2>(pieces_[4]);
  copy.template operator()<1>(pieces_[5]);
  for (const Piece& piece : reals_) {
    const std::uint64_t bits = canonical_bits(load<double>(from + piece.from));
    std::memcpy(packed + piece.to, &bits, sizeof bits);
  }
  digest.add_bytes({packed, size_});
}

BusLeaf find_leaf(const std::vector<BusLeaf>& leaves, std::string_view name,
                  std::string_view where) {
  std::vector<std::string> names;
  for (const BusLeaf& leaf : leaves) {
    if (leaf.name == name) return leaf;
    names.push_back(leaf.name);
  }
  throw Error(ExitCode::kBadInput,
              did_you_mean(fmt::format("{}: there is no signal \"{}\"", where, name), name, names) +
                  " (`tactus spec signals` lists them all)");
}

}  // namespace tactus
