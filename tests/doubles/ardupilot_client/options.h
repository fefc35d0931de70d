// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause

#pragma once

// The double takes ArduPilot's command line, and orders to misbehave from the environment:
//   TACTUS_ARDUPILOT_DOUBLE="die_at=500,duplicate_percent=5"

#include <string>

namespace ardupilot_double {

struct Options {
  int port = 9002;            ///< --sim-port-out, or 9002 + 10 times -I
  int channels = 16;          ///< or 32
  int resend_ms = 1100;       ///< silence after which it asks again
  int boot_frames = 100;      ///< no signal on any output before
  int duplicate_percent = 0;  ///< of its packets are sent twice
  int lose_questions = 0;     ///< so many of its packets are lost …
  int lose_answers = 0;       ///< … and so many that it gets …
  int lose_until = 2000;      ///< … spread over so many frames
  int garbage_every = 0;      ///< a senseless datagram before every n-th packet
  long die_at = -1;           ///< frame at which it ends …
  int exit_status = 3;        ///< … with this status
  long stop_at = -1;          ///< frame at which it stops itself (SIGSTOP)
  long silent_at = -1;        ///< frame from which it sends nothing more
  long restart_at = -1;       ///< frame after which it begins again from 0
  long wild_at = -1;          ///< with pattern: frame from which motor 1 gets 65535 us
  int pattern = 0;            ///< 1: motor k gets 1000 + 100 k us, whatever happens
  double arm_s = 1.0;         ///< simulated times: motors turn,
  double land_s = 1e9;        ///< and it comes down again
  double height_m = 5.0;
  std::string trace;  ///< file for one line per frame: count, clock in us, four pulses
};

/// Prints what is wrong and exits 2 if it cannot be understood.
Options read_options(int count, char** arguments);

}  // namespace ardupilot_double
