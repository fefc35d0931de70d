// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#include "tactus/record/hdf5/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "tactus/core/assert.h"
#include "tactus/core/error.h"
#include "tactus/record/hdf5/hdf5_library.h"

namespace tactus {

using hdf5::Call;
using hdf5::Handle;

namespace {

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

/// Nothing small crosses a multiple of this. A kill leaves each page of a write either written or
/// not, so a header that is overwritten stays whole; one that goes over two pages could be torn.
constexpr std::size_t kPage = 4096;

constexpr std::size_t kChunkCache = std::size_t{1} << 20U;

}  // namespace

Hdf5Writer::Hdf5Writer(std::unique_ptr<OutputFile> file) : disk_(std::move(file)) {
  const Call call;
  const Handle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_obj_track_times(creation.get(), false);
  // What the file says about its pages is kept like a group, with the library's own properties.
  H5Pset_obj_track_times(H5P_GROUP_CREATE_DEFAULT, false);
  H5Pset_file_space_strategy(creation.get(), H5F_FSPACE_STRATEGY_PAGE, false, 1);
  H5Pset_file_space_page_size(creation.get(), kPage);
  const Handle access = hdf5::file_access();
  const DriverSetup setup{disk_.get()};
  H5Pset_driver(access.get(), disk_driver(), &setup);
  // A dataset keeps the one chunk that is being filled: memory stays bounded.
  H5Pset_cache(access.get(), 0, 1, kChunkCache, 1.0);
  file_ = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, creation.get(), access.get());
  require(file_ >= 0, "create", "the file");
}

Hdf5Writer::~Hdf5Writer() {
  const Call call;
  close_datasets();
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Writer::require(bool ok, std::string_view doing, std::string_view what) const {
  const int failure = disk_->failure();
  if (failure == 0 && ok) return;
  const std::string why = failure == 0 ? hdf5::reason() : disk_->failure_text();
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
  Handle type = hdf5::type_of(dataset.kind, dataset.width);
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
  const Handle type = hdf5::type_of(FieldKind::kText, text.size());
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
  disk_->begin();
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
  disk_->publish();
}

}  // namespace tactus
