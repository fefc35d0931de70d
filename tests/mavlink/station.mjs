// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A ground station made of node-mavlink, which shares nothing with our MAVLink, for one vehicle;
// and TACTUS as a child that ends with it.

import { spawn } from "node:child_process";
import dgram from "node:dgram";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { PassThrough } from "node:stream";

const require = createRequire(import.meta.url);
const { common, minimal, standard } = require("mavlink-mappings");
const { MavLinkPacketSplitter, MavLinkPacketParser, MavLinkProtocolV2 } = require("node-mavlink");

const registry = { ...minimal.REGISTRY, ...standard.REGISTRY, ...common.REGISTRY };
const byName = Object.fromEntries(Object.values(registry).map((type) => [type.MSG_NAME, type]));
const kLongest_ms = 150_000;
let child;

export function fail(what) {
  console.error(`${basename(process.argv[1])}: ${what}`);
  child?.kill("SIGKILL");
  process.exit(1);
}
setTimeout(() => fail(`not over after ${kLongest_ms / 1000} s`), kLongest_ms).unref();

export function same(what, a, b) {
  const [is, expected] = [JSON.stringify(a), JSON.stringify(b)];
  if (is !== expected) fail(`${what}: ${is}, not ${expected}`);
}

/** Resolves when the program has ended well. */
export function start(program, args) {
  child = spawn(program, args, { stdio: ["ignore", "inherit", "inherit"] });
  const ended = new Promise((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
  ended.then((code) => code === 0 || fail(`tactus ended with ${code}`));
  return ended;
}

/** Fields by the names of the protocol's definition. */
function make(name, values) {
  const type = byName[name];
  const message = new type();
  for (const { source, name: field } of type.FIELDS) {
    if (source in values) message[field] = values[source];
  }
  for (const key of Object.keys(values)) {
    if (!type.FIELDS.some(({ source }) => source === key)) fail(`${name} has no ${key}`);
  }
  return message;
}

export class Station {
  #protocol = new MavLinkProtocolV2(255, 190);
  #socket = dgram.createSocket("udp4");
  #vehicle; // where it sends from
  #sequence = 0;
  seen = {}; // the last message of each name
  counts = {};
  waiting = new Set();

  constructor(system) {
    this.to = { target_system: system, target_component: 1 };
    const incoming = new PassThrough();
    const packets = incoming.pipe(new MavLinkPacketSplitter()).pipe(new MavLinkPacketParser());
    packets.on("data", (packet) => this.#take(packet));
    this.#socket.on("message", (bytes, from) => {
      this.#vehicle = from;
      incoming.write(bytes);
    });
  }

  #take(packet) {
    const type = registry[packet.header.msgid];
    if (!type) return;
    const message = packet.protocol.data(packet.payload, type);
    const entries = type.FIELDS.map(({ source, name }) => [source, message[name]]);
    const values = { ...Object.fromEntries(entries), system: packet.header.sysid };
    const name = type.MSG_NAME;
    this.seen[name] = values;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    if (name === "STATUSTEXT") console.log(`  vehicle: ${values.text.replace(/\0/g, "")}`);
    for (const wait of [...this.waiting]) wait(name, values);
  }

  /** Its port. */
  listen() {
    return new Promise((resolve) => {
      this.#socket.bind(0, "127.0.0.1", () => resolve(this.#socket.address().port));
    });
  }

  close() {
    this.#socket.close();
  }

  send(name, values) {
    const bytes = this.#protocol.serialize(make(name, values), this.#sequence++ & 255);
    this.#socket.send(bytes, this.#vehicle.port, this.#vehicle.address);
  }

  /** Says that it is there, that many times a second; returns how to end that. */
  greet(rate) {
    const hello = () => this.send("HEARTBEAT", { type: 6, autopilot: 8, system_status: 4 });
    hello();
    const beat = setInterval(hello, 1000 / rate);
    return () => clearInterval(beat);
  }

  /** The next message of this name for which the condition holds; asked for until it comes. */
  next(name, holds, seconds, again = () => {}) {
    return new Promise((resolve) => {
      const repeat = setInterval(again, 1000);
      const give_up = () => fail(`no ${name} as awaited (${holds}) in ${seconds} s`);
      const late = setTimeout(give_up, seconds * 1000);
      const wait = (which, values) => {
        if (which !== name || !holds(values)) return;
        clearInterval(repeat);
        clearTimeout(late);
        this.waiting.delete(wait);
        resolve(values);
      };
      this.waiting.add(wait);
      again();
    });
  }

  async command(number, params = []) {
    const values = { ...this.to, command: number };
    for (let i = 0; i < 7; ++i) values[`param${i + 1}`] = params[i] ?? 0;
    const ask = () => this.send("COMMAND_LONG", values);
    return (await this.next("COMMAND_ACK", (ack) => ack.command === number, 10, ask)).result;
  }
}
