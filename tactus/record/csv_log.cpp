// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/csv_log.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/core/math.h"
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

/// A name must not be able to end a comment line.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::string padded(const std::string& text) { return fmt::format("{:<{}}", text, kDigestWidth); }

template <class T>
T load(const Bus& bus, std::size_t offset) {
  T value;
  std::memcpy(&value, reinterpret_cast<const char*>(&bus) + offset, sizeof value);
  return value;
}

}  // namespace

CsvLog::CsvLog(std::string path, LogProvenance provenance)
    : path_(std::move(path)), provenance_(std::move(provenance)) {}

CsvLog::CsvLog(std::string path) : path_(std::move(path)) {}

void CsvLog::begin(const VehicleCounts& counts) {
  counts_ = counts;
  leaves_ = bus_leaves(counts);
  std::erase_if(leaves_, [](const BusLeaf& leaf) { return leaf.name == kTimeColumn; });
  last_texts_.assign(leaves_.size(), {});
  buffer_.resize(kBufferSize);
  used_ = 0;
  rows_ = 0;
  errno = 0;
  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) fail("cannot be created");
  // The buffer is ours: one write per megabyte, and every failure is seen where it happens.
  if (std::setvbuf(file_.get(), nullptr, _IONBF, 0) != 0) fail("cannot be written");
  if (provenance_ && std::fseek(file_.get(), 0, SEEK_SET) != 0) {
    fail("cannot be rewound for the digest");
  }
  write_head();
  writer_ =
      std::make_unique<WriteBehind<Block>>(kBlocks, [this](Block& block) { write_rows(block); });
  block_ = nullptr;
}

std::string CsvLog::comment_lines() {
  std::string head =
      fmt::format("# tactus {} schema={} bus={} spec={} seed={} digest=", kVersion, kLogSchema,
                  kBusVersion, to_hex(provenance_->spec_digest), provenance_->seed);
  digest_position_ = static_cast<long>(head.size());
  return head + fmt::format("{}\n# name={} motors={} servos={} packs={} buses={} gear_points={}\n",
                            padded(kIncomplete), one_line(provenance_->name), counts_.motors,
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
  append(head.data(), head.size());
  flush();  // whatever happens later, the file has its head
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
  patch_digest(flight_digest, complete);
  std::FILE* const file = file_.release();
  errno = 0;
  if (std::fclose(file) != 0) fail("cannot be closed");
}

void CsvLog::patch_digest(Digest128 flight_digest, bool complete) {
  if (!complete || !provenance_) return;  // it says so already, or there is no place to say it
  const std::string text = padded(to_hex(flight_digest));
  errno = 0;
  if (std::fseek(file_.get(), digest_position_, SEEK_SET) != 0) fail("cannot be rewound");
  append(text.data(), text.size());
  flush();
}

void CsvLog::append(const char* text, std::size_t size) {
  if (used_ + size > buffer_.size()) flush();
  TACTUS_ASSERT(size <= buffer_.size(), "the head of a log fits into its buffer");
  std::memcpy(buffer_.data() + used_, text, size);
  used_ += size;
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

/// Most numbers of a flight stand still most of the time, and writing a double is dear.
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
  const std::size_t size = used_;
  used_ = 0;
  errno = 0;
  if (std::fwrite(buffer_.data(), 1, size, file_.get()) != size) fail("cannot be written");
}

void CsvLog::fail(const char* what) {
  const bool full = errno == ENOSPC || errno == EDQUOT;
  const char* const reason = errno != 0 ? std::strerror(errno) : "unknown reason";
  const std::string message = fmt::format("log {}: {}: {}; {}", one_line(path_), what, reason,
                                          full ? "make room" : "choose another path");
  file_.reset();
  throw Error(ExitCode::kEnvironment, message);
}

}  // namespace tactus
