// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5_file.h"

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
#include <mutex>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/record/file_kind.h"
#include "tactus/record/hdf5_file_chunk.h"

namespace tactus {
namespace {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

/// One call of the library at a time, and silently: its error stack is printed unless each thread
/// says otherwise.
class Call {
 public:
  Call() : lock_(mutex()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

 private:
  static std::recursive_mutex& mutex() {
    static std::recursive_mutex instance;
    return instance;
  }
  std::lock_guard<std::recursive_mutex> lock_;
};

/// Closes what the library hands out.
class Handle {
 public:
  explicit Handle(hid_t id) : id_(id) {}
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] bool ok() const { return id_ >= 0; }
  [[nodiscard]] hid_t get() const { return id_; }
  hid_t release() { return std::exchange(id_, -1); }

 private:
  hid_t id_;
};

herr_t deepest_text(unsigned, const H5E_error2_t* error, void* out) {
  auto& text = *static_cast<std::string*>(out);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

/// What the operating system said, or else the library's own words.
std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, deepest_text, &text);
  const std::string_view mark = "error message = '";
  const std::size_t begin = text.find(mark);
  if (begin == std::string::npos) return text.empty() ? "no reason given" : text;
  const std::size_t from = begin + mark.size();
  return text.substr(from, text.find('\'', from) - from);
}

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

Handle file_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  // Some file systems cannot lock; a lock only guards against our own mistakes.
  H5Pset_file_locking(access.get(), true, true);
  // A reader of a file that is being written looks again where a checksum is wrong, and waits twice
  // as long each time, from 1 ns on: the library's 100 times would not end on a damaged file.
  H5Pset_metadata_read_attempts(access.get(), 16);
  return Handle(access.release());
}

/// A type of the file, to be closed.
Handle type_of(FieldKind kind, std::size_t width) {
  switch (kind) {
    case FieldKind::kReal: return Handle(H5Tcopy(H5T_IEEE_F64LE));
    case FieldKind::kBool:
    case FieldKind::kU8: return Handle(H5Tcopy(H5T_STD_U8LE));
    case FieldKind::kI32: return Handle(H5Tcopy(H5T_STD_I32LE));
    case FieldKind::kU32: return Handle(H5Tcopy(H5T_STD_U32LE));
    case FieldKind::kU64: return Handle(H5Tcopy(H5T_STD_U64LE));
    case FieldKind::kText: break;
  }
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.get(), std::max<std::size_t>(width, 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return Handle(type.release());
}

/// What a file is opened with.
struct DriverSetup {
  OutputFile* disk;
};

/// An OutputFile as HDF5 sees it.
struct Driver {
  H5FD_t common;  ///< first: the library knows only this part
  OutputFile* disk;
  haddr_t end;  ///< of what the library has allocated
};

Driver& driver_of(H5FD_t* file) { return *reinterpret_cast<Driver*>(file); }

H5FD_class_t disk_driver_class() {
  H5FD_class_t c{};
  c.name = "tactus";
  c.maxaddr = std::numeric_limits<std::int64_t>::max();
  c.fc_degree = H5F_CLOSE_STRONG;
  c.fapl_size = sizeof(DriverSetup);
  c.open = [](const char*, unsigned, hid_t access, haddr_t) {
    auto* const driver = new Driver{};
    driver->disk = static_cast<const DriverSetup*>(H5Pget_driver_info(access))->disk;
    return &driver->common;
  };
  c.close = [](H5FD_t* file) -> herr_t {
    delete &driver_of(file);
    return 0;
  };
  c.query = [](const H5FD_t*, unsigned long* flags) -> herr_t {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
  };
  c.get_eoa = [](const H5FD_t* file, H5FD_mem_t) {
    return reinterpret_cast<const Driver*>(file)->end;
  };
  c.set_eoa = [](H5FD_t* file, H5FD_mem_t, haddr_t end) -> herr_t {
    driver_of(file).end = end;
    return 0;
  };
  c.get_eof = [](const H5FD_t* file, H5FD_mem_t) -> haddr_t {
    return reinterpret_cast<const Driver*>(file)->disk->size();
  };
  c.read = [](H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* into) {
    return driver_of(file).disk->read(at, into, size) ? 0 : -1;
  };
  c.write = [](H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* from) {
    driver_of(file).disk->write(at, from, size);
    return 0;
  };
  c.truncate = [](H5FD_t* file, hid_t, hbool_t) -> herr_t {
    const Driver& driver = driver_of(file);
    if (driver.end != driver.disk->size()) driver.disk->resize(driver.end);
    return 0;
  };
  // The mark "open for writing" in the file comes with the lock; OutputFile is exclusive already.
  c.lock = [](H5FD_t*, hbool_t) -> herr_t { return 0; };
  c.unlock = [](H5FD_t*) -> herr_t { return 0; };
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), c.fl_map);
  return c;
}

hid_t disk_driver() {
  static const H5FD_class_t kind = disk_driver_class();
  static const hid_t id = H5FDregister(&kind);
  return id;
}

int rank_of(std::size_t columns) { return columns == 1 ? 1 : 2; }

/// Whether it is one that recordings have, and which.
bool find_kind(hid_t type, FieldKind& kind) {
  if (H5Tget_class(type) == H5T_STRING) {
    kind = FieldKind::kText;
    return H5Tis_variable_str(type) == 0 && H5Tget_size(type) > 0;
  }
  for (const FieldKind candidate :
       {FieldKind::kReal, FieldKind::kU8, FieldKind::kI32, FieldKind::kU32, FieldKind::kU64}) {
    kind = candidate;
    if (H5Tequal(type, type_of(candidate, 1).get()) > 0) return true;
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

/// Nothing small crosses a multiple of this. A kill leaves each page of a write either written or
/// not, so a header that is overwritten stays whole; one that goes over two pages could be torn.
constexpr std::size_t kPage = 4096;

constexpr std::size_t kChunkCache = std::size_t{1} << 20U;

}  // namespace

Hdf5Writer::Hdf5Writer(std::string path) : disk_(std::move(path)) {
  const Call call;
  const Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  // What the file says about its pages is kept like a group, with the library's own properties.
  H5Pset_obj_track_times(H5P_GROUP_CREATE_DEFAULT, false);
  H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1);
  H5Pset_file_space_page_size(creation.get(), kPage);
  const Handle access = file_access();
  const DriverSetup setup{&disk_};
  H5Pset_driver(access.get(), disk_driver(), &setup);
  // A dataset keeps the one chunk that is being filled: memory stays bounded.
  H5Pset_cache(access.get(), 0, 1, kChunkCache, 1.0);
  file_ = H5Fcreate(disk_.path().c_str(), H5F_ACC_TRUNC, creation.get(), access.get());
  require(file_ >= 0, "create", "the file");
}

Hdf5Writer::~Hdf5Writer() {
  const Call call;
  close_datasets();
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Writer::require(bool ok, std::string_view doing, std::string_view what) const {
  const int failure = disk_.failure();
  if (failure == 0 && ok) return;
  const std::string why = failure == 0 ? reason() : std::strerror(failure);
  const bool full = failure == ENOSPC || failure == EDQUOT;
  throw Error(ExitCode::kEnvironment, fmt::format("{}: cannot {} {}: {}{}", path(), doing, what,
                                                  why, full ? "; free some space first" : ""));
}

void Hdf5Writer::create_groups_of(const std::string& dataset_path) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  for (std::size_t slash = dataset_path.find('/', 1); slash != std::string::npos;
       slash = dataset_path.find('/', slash + 1)) {
    const std::string group = dataset_path.substr(0, slash);
    if (std::find(groups_.begin(), groups_.end(), group) != groups_.end()) continue;
    const Handle created(
        H5Gcreate2(file_, group.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
    require(created.ok(), "create", group);
    groups_.push_back(group);
  }
}

Hdf5Writer::Dataset Hdf5Writer::create(const Hdf5NewDataset& dataset) {
  const Call call;
  TACTUS_ASSERT(dataset.width > 0 && dataset.chunk_rows > 0, "a dataset with room for a row");
  create_groups_of(dataset.path);
  Open open{dataset.path, -1, -1, 0, dataset.kind == FieldKind::kText ? 1 : dataset.width};
  Handle type = type_of(dataset.kind, dataset.width);
  const int rank = rank_of(open.width);
  const hsize_t none[2] = {0, open.width};
  const hsize_t any[2] = {H5S_UNLIMITED, open.width};
  const hsize_t chunk[2] = {dataset.chunk_rows, open.width};
  const Handle space(H5Screate_simple(rank, none, any));
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  H5Pset_chunk(creation.get(), rank, chunk);
  H5Pset_shuffle(creation.get());
  H5Pset_deflate(creation.get(), 1);
  H5Pset_fletcher32(creation.get());
  open.id = H5Dcreate2(file_, dataset.path.c_str(), type.get(), space.get(), H5P_DEFAULT,
                       creation.get(), H5P_DEFAULT);
  require(open.id >= 0, "create", dataset.path);
  open.type = type.release();
  datasets_.push_back(std::move(open));
  return datasets_.size() - 1;
}

void Hdf5Writer::add_attribute(Dataset dataset, const std::string& name, std::string_view text) {
  const Call call;
  const Open& open = datasets_[dataset];
  const Handle type = type_of(FieldKind::kText, text.size());
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute(
      H5Acreate2(open.id, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  require(
      attribute.ok() && H5Awrite(attribute.get(), type.get(), text.empty() ? "" : text.data()) >= 0,
      "write", open.path);
}

void Hdf5Writer::start_swmr() {
  const Call call;
  require(H5Fstart_swmr_write(file_) >= 0, "begin to write", "the file");
  disk_.publish();
}

void Hdf5Writer::write(Open& dataset, std::uint64_t first, const void* rows, std::size_t count) {
  const int rank = rank_of(dataset.width);
  const hsize_t begin[2] = {first, 0};
  const hsize_t size[2] = {count, dataset.width};
  const Handle memory(H5Screate_simple(rank, size, nullptr));
  const Handle space(H5Dget_space(dataset.id));
  require(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin, nullptr, size, nullptr) >= 0 &&
              H5Dwrite(dataset.id, dataset.type, memory.get(), space.get(), H5P_DEFAULT, rows) >= 0,
          "write", dataset.path);
}

void Hdf5Writer::append(Dataset dataset, const void* rows, std::size_t count) {
  if (count == 0) return;
  const Call call;
  Open& open = datasets_[dataset];
  const hsize_t size[2] = {open.rows + count, open.width};
  require(H5Dset_extent(open.id, size) >= 0, "extend", open.path);
  write(open, open.rows, rows, count);
  open.rows += count;
}

void Hdf5Writer::overwrite(Dataset dataset, const void* rows, std::size_t count) {
  const Call call;
  Open& open = datasets_[dataset];
  TACTUS_ASSERT(count <= open.rows, "rows that are there");
  write(open, 0, rows, count);
}

void Hdf5Writer::flush() {
  const Call call;
  require(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "write", "the file");
}

void Hdf5Writer::flush(Dataset dataset) {
  const Call call;
  require(H5Dflush(datasets_[dataset].id) >= 0, "write", datasets_[dataset].path);
}

void Hdf5Writer::close_datasets() {
  for (Open& open : datasets_) {
    if (open.id >= 0) H5Dclose(open.id);
    if (open.type >= 0) H5Tclose(open.type);
  }
  datasets_.clear();
}

void Hdf5Writer::close() {
  const Call call;
  close_datasets();
  require(H5Fclose(std::exchange(file_, -1)) >= 0, "close", "the file");
}

Hdf5Reader::Hdf5Reader(std::string path) : path_(std::move(path)) {
  if (path_.empty()) throw Error(ExitCode::kBadInput, "the name of a recording is empty");
  require_plain_file(path_);
  const Call call;
  const Handle access = file_access();
  file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get());
  if (file_ >= 0) return;
  const std::string why = reason();
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
    fail("cannot be listed: " + reason(), group);
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

// The library loses a few hundred bytes each time it meets a damaged file, which is not ours to
// mend; builds with the address sanitizer look this function up by its name.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
