// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// libpx4_lockstep, C interface version 3: PX4's navigator, flight modes, controllers and allocator
// as a shared library whose clock is an argument. Nothing is linked; a user brings his own build.
//
// The library holds one PX4 per loaded copy and keeps its parameters and topics after `destroy`.
// So each Px4Copy is a private copy of the file under a name of its own: its globals are fresh, and
// several PX4s fly in one process without seeing each other.

#include <cstdint>
#include <memory>
#include <string>

#include "tactus/link/px4/px4_console.h"

namespace tactus {

inline constexpr std::uint32_t kPx4AbiVersion = 3;

/// As the library lays it out: nine 32-bit integers. A rate of 0 means at every step.
struct Px4Config {
  std::int32_t dataman_use_ram = 1;
  std::int32_t enable_commander = 0;
  std::int32_t commander_rate_hz = 100;
  std::int32_t navigator_rate_hz = 25;
  std::int32_t position_rate_hz = 125;
  std::int32_t attitude_rate_hz = 250;
  std::int32_t rate_rate_hz = 250;
  std::int32_t enable_allocator = 1;
  std::int32_t allocator_rate_hz = 250;
};
static_assert(sizeof(Px4Config) == 36);

/// Names as in the library, without "px4_lockstep_".
struct Px4EntryPoints {
  std::uint32_t (*abi_version)();
  void (*sizes)(std::uint32_t* input, std::uint32_t* output, std::uint32_t* config);
  void* (*create)(const Px4Config* config);
  void (*destroy)(void* handle);
  int (*load_mission_qgc_wpl)(void* handle, const char* path);
  int (*step_uorb)(void* handle, std::uint64_t time_us);
  int (*param_set_i32)(void* handle, const char* name, std::int32_t value);
  int (*param_set_f32)(void* handle, const char* name, float value);
  int (*param_get_i32)(void* handle, const char* name, std::int32_t* value);
  int (*param_get_f32)(void* handle, const char* name, float* value);
  int (*control_alloc_update_params)(void* handle);
  int (*orb_topic_metadata)(void* handle, const char* topic, const char** fields,
                            std::uint32_t* size, std::uint32_t* size_no_padding,
                            std::uint32_t* hash, std::uint8_t* queue);
  int (*orb_create_publisher_ex)(void* handle, const char* topic, std::int32_t priority,
                                 std::uint32_t queue, std::int32_t instance, std::int32_t* id,
                                 std::int32_t* given_instance, std::uint32_t* size);
  int (*orb_queue_publish)(void* handle, std::int32_t id, const void* message, std::uint32_t size);
  int (*orb_create_subscriber)(void* handle, const char* topic, std::uint32_t instance,
                               std::int32_t* id, std::uint32_t* size);
  int (*orb_check)(void* handle, std::int32_t id, std::int32_t* updated);
  int (*orb_copy)(void* handle, std::int32_t id, void* message, std::uint32_t size);
  /// PX4's own, without the prefix: switches the timer that saves parameters.
  void (*param_control_autosave)(bool enable);
};

/// Throws Error(kEnvironment) if that is no file; of a folder it says which one in it is.
void require_library_file(const std::string& path);

/// A private copy of the library, loaded and checked: every entry point is there, version and sizes
/// are ours, and loading it left the floating-point mode alone.
class Px4Copy {
 public:
  /// Throws Error: kEnvironment if the file cannot be read, copied or loaded; kPeer if it is not
  /// the library that is meant.
  Px4Copy(const std::string& path, Px4Console& console);
  Px4Copy(const Px4Copy&) = delete;
  Px4Copy& operator=(const Px4Copy&) = delete;
  ~Px4Copy();

  [[nodiscard]] const Px4EntryPoints& call() const { return call_; }
  [[nodiscard]] const std::string& path() const { return path_; }  ///< of the original

 private:
  void load();
  void resolve();
  void check_version() const;

  std::string path_;
  void* library_ = nullptr;
  Px4EntryPoints call_{};
};

/// A live PX4; destroyed with this object, however it ends.
class Px4Handle {
 public:
  /// Also switches the saving of parameters off: with it, the first parameter that changes waits
  /// for ever on a lock that this library never sets up. Throws Error(kPeer) if PX4 is not created,
  /// for example because the copy already holds one.
  Px4Handle(std::shared_ptr<const Px4Copy> copy, const Px4Config& config, Px4Console& console);
  Px4Handle(const Px4Handle&) = delete;
  Px4Handle& operator=(const Px4Handle&) = delete;
  ~Px4Handle();

  [[nodiscard]] void* get() const { return handle_; }
  [[nodiscard]] const Px4EntryPoints& call() const { return copy_->call(); }
  [[nodiscard]] const std::string& path() const { return copy_->path(); }

 private:
  std::shared_ptr<const Px4Copy> copy_;
  Px4Console* console_;
  void* handle_ = nullptr;
};

}  // namespace tactus
