// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/csv_log.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/math.h"
#include "tactus/core/printable.h"
#include "tactus/core/quat.h"
#include "tactus/core/version.h"

namespace tactus {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20U;
constexpr std::size_t kBlocks = 3;
constexpr std::size_t kDigestWidth = 32;
constexpr char kIncomplete[] = "incomplete";
constexpr char kTimeColumn[] = "time_us";
/// As append_angles() is called.
constexpr const char* kAngleColumns[] = {"truth.roll_deg",     "truth.pitch_deg",
                                         "truth.yaw_deg",      "estimate.roll_deg",
                                         "estimate.pitch_deg", "estimate.yaw_deg"};

std::string padded(const std::string& text) { return fmt::format("{:<{}}", text, kDigestWidth); }

template <class T>
T load(const Bus& bus, std::size_t offset) {
  T value;
  std::memcpy(&value, reinterpret_cast<const char*>(&bus) + offset, sizeof value);
  return value;
}

}  // namespace

CsvLog::CsvLog(std::unique_ptr<OutputFile> file, std::optional<LogProvenance> provenance)
    : provenance_(std::move(provenance)), file_(std::move(file)) {}

void CsvLog::begin(const VehicleCounts& counts) {
  counts_ = counts;
  leaves_ = bus_leaves(counts);
  std::erase_if(leaves_, [](const BusLeaf& leaf) { return leaf.name == kTimeColumn; });
  last_texts_.assign(leaves_.size(), {});
  buffer_.resize(kBufferSize);
  used_ = 0;
  rows_ = 0;
  file_->begin();
  write_head();
  writer_ =
      std::make_unique<WriteBehind<Block>>(kBlocks, [this](Block& block) { write_rows(block); });
  block_ = nullptr;
}

std::string CsvLog::comment_lines() {
  std::string head =
      fmt::format("# tactus {} schema={} bus={} spec={} seed={} digest=", kVersion, kLogSchema,
                  kBusVersion, to_hex(provenance_->spec_digest), provenance_->seed);
  digest_position_ = head.size();
  return head + fmt::format("{}\n# name={} motors={} servos={} packs={} buses={} gear_points={}\n",
                            padded(kIncomplete), printable(provenance_->name), counts_.motors,
                            counts_.servos, counts_.packs, counts_.buses, counts_.gear_points);
}

void CsvLog::write_head() {
  std::string head = provenance_ ? comment_lines() : "";
  head += kTimeColumn;
  for (const BusLeaf& leaf : leaves_) head += "," + leaf.name;
  const SolverTotals totals;
  for_each_leaf(totals,
                [&](const LeafPath& path, const auto&) { head += ",solver." + path.text(); });
  for (const char* name : kAngleColumns) head += fmt::format(",{}", name);
  head += '\n';
  file_->append(head);  // whatever happens later, the file has its head
  require_written();
}

void CsvLog::row(const LogRow& row) {
  if (block_ == nullptr) block_ = &writer_->take();
  block_->rows.push_back({row.time, row.bus, row.solver});
  ++rows_;
  if (block_->rows.size() < kRowsPerBlock) return;
  writer_->give(*block_);
  block_ = nullptr;
}

void CsvLog::write_rows(Block& block) {
  for (const Row& row : block.rows) write_row(row);
  block.rows.clear();
}

void CsvLog::write_row(const Row& row) {
  const std::size_t columns =
      1 + leaves_.size() + leaf_count(row.solver) + std::size(kAngleColumns);
  if (used_ + columns * kMaxNumber > buffer_.size()) flush();
  append_number(row.time.us);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    buffer_[used_++] = ',';
    append_leaf(i, row.bus);
  }
  for_each_leaf(row.solver, [this](const LeafPath&, std::uint64_t total) {
    buffer_[used_++] = ',';
    append_number(total);
  });
  append_angles(row.bus.truth.attitude);
  append_angles(row.bus.estimate.attitude);
  buffer_[used_++] = '\n';
}

void CsvLog::end(Digest128 flight_digest, bool complete) {
  if (!writer_) return;  // begin() did not get far
  if (block_ != nullptr) writer_->give(*block_);
  block_ = nullptr;
  const std::unique_ptr<WriteBehind<Block>> writer = std::move(writer_);
  writer->finish();
  flush();
  if (complete && provenance_) patch_digest(flight_digest);  // otherwise it says so already
  file_->publish();
  file_.reset();
}

void CsvLog::patch_digest(Digest128 flight_digest) {
  const std::string text = padded(to_hex(flight_digest));
  file_->write(digest_position_, text.data(), text.size());
  require_written();
}

template <class Number>
void CsvLog::append_number(Number number) {
  if constexpr (std::is_same_v<Number, double>) {
    if (math::is_nan(number)) number = math::canonical_nan();  // "nan", never "-nan"
  }
  char* const begin = buffer_.data() + used_;
  const auto [end, error] = std::to_chars(begin, begin + kMaxNumber, number);
  TACTUS_ASSERT(error == std::errc(), "a number fits into its column");
  used_ += static_cast<std::size_t>(end - begin);
}

/// Most numbers of a flight seldom change, and formatting a double is expensive.
void CsvLog::append_real(double number, LastText& last) {
  const std::uint64_t bits = math::to_bits(number);
  if (last.size != 0 && last.bits == bits) {
    std::memcpy(buffer_.data() + used_, last.text, last.size);
    used_ += last.size;
    return;
  }
  const std::size_t begin = used_;
  append_number(number);
  last.bits = bits;
  last.size = used_ - begin;
  std::memcpy(last.text, buffer_.data() + begin, last.size);
}

void CsvLog::append_angles(Quat attitude) {
  const EulerAngles angles = to_euler(attitude);
  for (const double angle_rad : {angles.roll_rad, angles.pitch_rad, angles.yaw_rad}) {
    buffer_[used_++] = ',';
    append_number(angle_rad * math::kRadToDeg);
  }
}

void CsvLog::append_leaf(std::size_t column, const Bus& bus) {
  const BusLeaf& leaf = leaves_[column];
  switch (leaf.kind) {
    case BusLeaf::Kind::kReal:
      return append_real(load<double>(bus, leaf.offset), last_texts_[column]);
    case BusLeaf::Kind::kBool: return append_number(load<bool>(bus, leaf.offset) ? 1 : 0);
    case BusLeaf::Kind::kU8: return append_number<int>(load<std::uint8_t>(bus, leaf.offset));
    case BusLeaf::Kind::kI32: return append_number(load<std::int32_t>(bus, leaf.offset));
    case BusLeaf::Kind::kU32: return append_number(load<std::uint32_t>(bus, leaf.offset));
    case BusLeaf::Kind::kU64: return append_number(load<std::uint64_t>(bus, leaf.offset));
  }
}

void CsvLog::flush() {
  file_->append({buffer_.data(), used_});
  used_ = 0;
  require_written();
}

void CsvLog::require_written() {
  if (file_->failure() == 0) return;
  const std::unique_ptr<OutputFile> file = std::move(file_);  // is closed in every case
  file->require_written();
}

}  // namespace tactus
