// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

// Hdf5Reader of hdf5_file.h.

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/files/describe_file.h"
#include "tactus/record/hdf5/hdf5_file.h"
#include "tactus/record/hdf5/hdf5_file_chunk.h"
#include "tactus/record/hdf5/hdf5_library.h"

namespace tactus {

using hdf5::Call;
using hdf5::Handle;

namespace {

/// Why a file cannot be opened, in words: the library says "truncated file: eof = ...,
/// sblock->base_addr = ..., stored_eof = ..." of one of which only a part is there.
std::string unreadable(const std::string& path, const std::string& why) {
  constexpr std::string_view kThere = "truncated file: eof = ";
  constexpr std::string_view kAll = "stored_eof = ";
  const auto digits_after = [&why](std::string_view mark) {
    const std::size_t at = why.find(mark);
    if (at == std::string::npos) return std::string();
    const std::size_t from = at + mark.size();
    return why.substr(from, why.find_first_not_of("0123456789", from) - from);
  };
  const std::string there = digits_after(kThere);
  const std::string all = digits_after(kAll);
  if (there.empty() || all.empty()) {
    const std::string kind = describe_file(path);
    return kind.empty() ? fmt::format("{} is not a recording, or it is damaged: {}", path, why)
                        : fmt::format("{} is not a recording: it is {}", path, kind);
  }
  return fmt::format("{} is cut off: {} of {} bytes are there; copy it again", path, there, all);
}

/// Whether it is one that recordings have, and which.
bool find_kind(hid_t type, FieldKind& kind) {
  if (H5Tget_class(type) == H5T_STRING) {
    kind = FieldKind::kText;
    return H5Tis_variable_str(type) == 0 && H5Tget_size(type) > 0;
  }
  for (const FieldKind candidate :
       {FieldKind::kReal, FieldKind::kU8, FieldKind::kI32, FieldKind::kU32, FieldKind::kU64}) {
    kind = candidate;
    if (H5Tequal(type, hdf5::type_of(candidate, 1).get()) > 0) return true;
  }
  return false;
}

/// deflate makes at most 1032 bytes of one.
constexpr std::uint64_t kLargestExpansion = 1032;

/// What every dataset of a recording goes through, in this order.
constexpr H5Z_filter_t kFilters[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
constexpr std::uint32_t kNotShuffled = 1U << 0U;
constexpr std::uint32_t kNotDeflated = 1U << 1U;

/// Rows of a chunk; 0 if the dataset is not stored as recordings are.
std::uint64_t chunk_rows_of(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset));
  if (H5Pget_nfilters(creation.get()) != std::ssize(kFilters)) return 0;
  for (unsigned i = 0; i < std::size(kFilters); ++i) {
    unsigned flags = 0;
    std::size_t no_values = 0;
    if (H5Pget_filter2(creation.get(), i, &flags, &no_values, nullptr, 0, nullptr, nullptr) !=
        kFilters[i]) {
      return 0;
    }
  }
  const Handle space(H5Dget_space(dataset));
  hsize_t size[2] = {0, 1};
  hsize_t chunk[2] = {0, 1};
  const int rank = H5Sget_simple_extent_dims(space.get(), size, nullptr);
  const bool whole_rows =
      H5Pget_chunk(creation.get(), 2, chunk) == rank && (rank == 1 || chunk[1] == size[1]);
  return whole_rows ? chunk[0] : 0;
}

/// Whether the chunk that begins with a row is there and undamaged; fills `into` if so.
bool read_chunk(hid_t dataset, std::uint64_t row, std::uint64_t rows, const Hdf5Dataset& shape,
                std::vector<std::byte>& into) {
  const hsize_t at[2] = {row, 0};
  hsize_t stored_size = 0;
  if (rows > std::numeric_limits<std::uint32_t>::max() / shape.row_bytes) return false;
  const std::uint64_t size = rows * shape.row_bytes;
  if (H5Dget_chunk_storage_size(dataset, at, &stored_size) < 0 || stored_size == 0 ||
      stored_size > most_stored(size) || size > stored_size * kLargestExpansion) {
    return false;
  }
  std::vector<std::byte> stored(stored_size);
  std::uint32_t left_out = 0;
  if (H5Dread_chunk(dataset, H5P_DEFAULT, at, &left_out, stored.data()) < 0 ||
      (left_out & ~(kNotShuffled | kNotDeflated)) != 0) {
    return false;
  }
  into.resize(size);
  const std::size_t element =
      shape.kind == FieldKind::kText ? shape.width : shape.row_bytes / shape.width;
  const ChunkFilters filters{element, (left_out & kNotShuffled) == 0,
                             (left_out & kNotDeflated) == 0};
  return restore_chunk(stored, filters, into);
}

constexpr std::size_t kLongestAttribute = std::size_t{1} << 16U;
constexpr std::size_t kLongestPath = 1024;

/// Before the library opens it: it waits for the other end of a pipe, and follows devices.
void require_plain_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat there {};
  const bool opened = descriptor >= 0 && ::fstat(descriptor, &there) == 0;
  const int failure = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!opened) {
    throw Error(ExitCode::kEnvironment,
                fmt::format("cannot read {}: {}", path, std::strerror(failure)));
  }
  if (S_ISREG(there.st_mode)) return;
  throw Error(
      ExitCode::kBadInput,
      fmt::format("{} is {} and not a recording; name a file that `tactus run --record` has "
                  "written",
                  path, S_ISDIR(there.st_mode) ? "a folder" : "no plain file"));
}

std::uint64_t size_of_file(const std::string& path) {
  struct stat there {};
  return ::stat(path.c_str(), &there) == 0 ? static_cast<std::uint64_t>(there.st_size) : 0;
}

/// What the machine could hold at all.
std::uint64_t memory_bytes() {
  return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

Hdf5Reader::Hdf5Reader(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw Error(ExitCode::kBadInput, "the name of a recording is empty");
  require_plain_file(path_);
  const Call call;
  const Handle access = hdf5::file_access();
  file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get());
  if (file_ >= 0) return;
  const std::string why = hdf5::reason();
  file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.get());
  left_open_ = file_ >= 0;
  if (left_open_) return;
  throw Error(ExitCode::kBadInput, unreadable(path_, why));
}

Hdf5Reader::~Hdf5Reader() {
  const Call call;
  H5Fclose(file_);
}

void Hdf5Reader::fail(std::string_view what, std::string_view where) const {
  throw Error(ExitCode::kBadInput, fmt::format("{}: {} {}", path_, where, what));
}

bool Hdf5Reader::has(const std::string& path) const {
  const Call call;
  if (path.size() > kLongestPath) return false;
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    // The library takes a missing group on the way for an error.
    if (H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t info{};
    if (H5Lget_info(file_, part.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD) {
      fail("is a link to somewhere else, which recordings do not have and which is not followed",
           part);
    }
    if (slash == std::string::npos) return true;
  }
}

void Hdf5Reader::claim(std::uint64_t count, std::uint64_t bytes_each) const {
  const std::uint64_t possible = size_of_file(path_) * kLargestExpansion;
  const std::uint64_t most = std::min(possible, memory_bytes());
  const std::uint64_t left = most - std::min(most, claimed_);
  if (bytes_each == 0 || count <= left / bytes_each) {
    claimed_ += count * bytes_each;
    return;
  }
  if (most == possible) fail("than a file of its size can hold", "claims more");
  throw Error(ExitCode::kEnvironment,
              fmt::format("{}: what it holds does not fit into the memory of this machine", path_));
}

std::vector<std::string> Hdf5Reader::list(const std::string& group) const {
  const Call call;
  const bool there = group == "/" || has(group);
  const Handle open(there ? H5Gopen2(file_, group.c_str(), H5P_DEFAULT) : H5I_INVALID_HID);
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  if (!open.ok() || H5Literate(open.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names) < 0) {
    fail("cannot be listed: " + hdf5::reason(), group);
  }
  return names;
}

Hdf5Dataset Hdf5Reader::dataset(const std::string& path) const {
  const Call call;
  const Handle open(has(path) ? H5Dopen2(file_, path.c_str(), H5P_DEFAULT) : H5I_INVALID_HID);
  if (!open.ok()) fail("is missing", path);
  // Any other layout may lie in other files, which the library would open by itself.
  const Handle creation(H5Dget_create_plist(open.get()));
  if (H5Pget_layout(creation.get()) != H5D_CHUNKED) fail("is not stored as recordings are", path);
  const Handle type(H5Dget_type(open.get()));
  const Handle space(H5Dget_space(open.get()));
  const int rank = H5Sget_simple_extent_ndims(space.get());
  Hdf5Dataset out;
  hsize_t size[2] = {0, 1};
  if (!find_kind(type.get(), out.kind) || rank < 1 || rank > 2 ||
      (rank == 2 && out.kind == FieldKind::kText) ||
      H5Sget_simple_extent_dims(space.get(), size, nullptr) < 0) {
    fail("is not of a type that recordings have", path);
  }
  const std::size_t element = H5Tget_size(type.get());
  out.rows = size[0];
  out.width = out.kind == FieldKind::kText ? element : size[1];
  out.row_bytes = size[1] * element;
  out.stored_bytes = H5Dget_storage_size(open.get());
  const bool too_wide = size[1] == 0 || size[1] > std::numeric_limits<std::uint32_t>::max();
  // A last chunk that is hardly filled may be larger than its rows, never the other way round.
  const bool invented = out.stored_bytes > size_of_file(path_);
  if (too_wide || invented || out.rows > out.stored_bytes * kLargestExpansion / out.row_bytes) {
    fail("claims more rows than the file has room for", path);
  }
  return out;
}

void Hdf5Reader::read(const std::string& path, std::uint64_t first, std::uint64_t count,
                      void* into) const {
  if (count == 0) return;
  const Hdf5Dataset found = dataset(path);
  if (first > found.rows || count > found.rows - first) {
    fail("does not have the rows that were asked for", path);
  }
  const Call call;
  const Handle open(H5Dopen2(file_, path.c_str(), H5P_DEFAULT));
  const std::uint64_t chunk_rows = chunk_rows_of(open.get());
  if (chunk_rows == 0) fail("is not stored as recordings are", path);
  auto* to = static_cast<std::byte*>(into);
  std::vector<std::byte> chunk;
  for (std::uint64_t row = first; row < first + count;) {
    const std::uint64_t in_chunk = row % chunk_rows;
    if (!read_chunk(open.get(), row - in_chunk, chunk_rows, found, chunk)) {
      fail(fmt::format("cannot be read, it is damaged at row {}", row - in_chunk), path);
    }
    const std::uint64_t rows = std::min(chunk_rows - in_chunk, first + count - row);
    std::memcpy(to, chunk.data() + in_chunk * found.row_bytes, rows * found.row_bytes);
    to += rows * found.row_bytes;
    row += rows;
  }
}

std::size_t Hdf5Reader::whole_size(const std::string& path, FieldKind kind,
                                   std::size_t element_size) const {
  const Hdf5Dataset found = dataset(path);
  TACTUS_ASSERT(element_size == size_of(kind), "numbers of that kind");
  const FieldKind stored = kind == FieldKind::kBool ? FieldKind::kU8 : kind;
  if (found.kind != stored) {
    fail(fmt::format("is {}, not {}", to_text(found.kind), to_text(stored)), path);
  }
  claim(found.rows, found.row_bytes);
  return found.rows * found.width;
}

void Hdf5Reader::read_whole(const std::string& path, void* into) const {
  read(path, 0, dataset(path).rows, into);
}

std::vector<std::string> Hdf5Reader::texts(const std::string& path) const {
  const Hdf5Dataset found = dataset(path);
  if (found.kind != FieldKind::kText) fail("is not text", path);
  claim(found.rows, found.row_bytes);
  std::string all(found.rows * found.width, '\0');
  read(path, 0, found.rows, all.data());
  std::vector<std::string> out;
  for (std::size_t i = 0; i < found.rows; ++i) {
    const std::string_view one(all.data() + i * found.width, found.width);
    out.emplace_back(one.substr(0, one.find_last_not_of('\0') + 1));
  }
  return out;
}

std::string Hdf5Reader::attribute(const std::string& path, const std::string& name) const {
  const Call call;
  const Handle attribute(
      has(path) ? H5Aopen_by_name(file_, path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT)
                : H5I_INVALID_HID);
  if (!attribute.ok()) fail("has no attribute " + name, path);
  const Handle type(H5Aget_type(attribute.get()));
  const Handle space(H5Aget_space(attribute.get()));
  FieldKind kind{};
  if (!find_kind(type.get(), kind) || kind != FieldKind::kText ||
      H5Sget_simple_extent_npoints(space.get()) != 1 ||
      H5Tget_size(type.get()) > kLongestAttribute) {
    fail("has an attribute that is not text: " + name, path);
  }
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) {
    fail("has an attribute that cannot be read: " + name, path);
  }
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace tactus
