// SPDX-FileCopyrightText: 2026 The Tactus authors
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: node check.mjs FRAMES COUNT
//
// Compares our MAVLink codec (the program FRAMES, see frames.cpp) with node-mavlink: tables, what
// we write and they read, what they write and we read, in versions 1 and 2 and signed.

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { common, minimal, standard, MSG_ID_MAGIC_NUMBER } = require("mavlink-mappings");
const { MavLinkProtocolV1, MavLinkProtocolV2, MavLinkPacketSignature } = require("node-mavlink");

const registry = { ...minimal.REGISTRY, ...standard.REGISTRY, ...common.REGISTRY };
const [program, count] = process.argv.slice(2);
let compared = 0;

function fail(what) {
  console.error(`check.mjs: ${what}`);
  process.exit(1);
}

function ours(args, input = "") {
  const run = spawnSync(program, args, { input, encoding: "utf8", maxBuffer: 1 << 30 });
  if (run.status !== 0) fail(`${program} ${args.join(" ")} ended with ${run.status}: ${run.stderr}`);
  return run.stdout.trim().split("\n").map((line) => JSON.parse(line));
}

function same(what, a, b) {
  ++compared;
  const text = (value) => JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}` : v));
  if (text(a) !== text(b)) fail(`${what}: ours ${text(a)}, theirs ${text(b)}`);
}

// Their names are in camel case; the definition's are kept as the source.
const valuesOf = (message, fields) =>
  Object.fromEntries(fields.map((field) => [field.source, message[field.name]]));

/** Rows of our values in the order and form of their fields. */
function compareValues(what, values, message, fields) {
  const theirs = valuesOf(message, fields);
  for (const { source, type } of fields) {
    const zeros = (value) => (typeof value === "string" ? value.replace(/\0+$/, "") : value);
    const minus = (value) => (Object.is(value, -0) ? 0 : value); // JSON has no negative zero
    const plain = (value) => (Array.isArray(value) ? value.map(minus) : minus(zeros(value)));
    same(`${what}.${source} (${type})`, plain(values[source]), plain(theirs[source]));
  }
}

const tables = ours(["tables"]);
for (const table of tables) {
  const theirs = registry[table.id];
  if (!theirs) fail(`${table.name}: they do not know it`);
  same(`${table.name}: name`, table.name, theirs.MSG_NAME);
  same(`${table.name}: CRC_EXTRA`, table.crc_extra, MSG_ID_MAGIC_NUMBER[table.id]);
  same(`${table.name}: size`, table.size, theirs.PAYLOAD_LENGTH);
  for (const field of table.fields) {
    const other = theirs.FIELDS.find(({ source }) => source === field.name);
    if (!other) fail(`${table.name}: they have no field ${field.name}`);
    const form = ({ type, length, extension, offset }) => ({ type, length, extension, offset });
    const type = other.type.replace("[]", "").replace("uint8_t_mavlink_version", "uint8_t");
    same(`${table.name}.${field.name}`, form(field), form({ ...other, type }));
  }
  same(`${table.name}: fields`, table.fields.length, theirs.FIELDS.length);
}

const protocol2 = new MavLinkProtocolV2(3, 4);
const written = ours(["write", count]);
for (const { id, frame, values } of written) {
  const bytes = Buffer.from(frame, "hex");
  const { MSG_NAME, FIELDS } = registry[id];
  same(`${MSG_NAME}: id`, id, protocol2.header(bytes).msgid);
  const message = protocol2.data(protocol2.payload(bytes), registry[id]);
  compareValues(`${MSG_NAME} of ours`, values, message, FIELDS);
  const sequence = protocol2.header(bytes).seq;
  // The protocol never cuts the first byte off; they do when all are zero.
  if (bytes[1] === 1 && bytes[10] === 0) continue;
  same(`${MSG_NAME}: bytes`, frame, protocol2.serialize(message, sequence).toString("hex"));
}

// The other way round: their bytes of the same messages, in every form of frame.
const protocol1 = new MavLinkProtocolV1(3, 4);
const signing = new MavLinkProtocolV2(3, 4, MavLinkProtocolV2.IFLAG_SIGNED);
const key = MavLinkPacketSignature.key("a secret");
const sent = [];
for (const { id, frame } of written) {
  const message = protocol2.data(protocol2.payload(Buffer.from(frame, "hex")), registry[id]);
  const fields = registry[id].FIELDS;
  const sign = (bytes) => signing.sign(bytes, 1, key, 1_700_000_000_000);
  sent.push({ id, fields, message, bytes: protocol2.serialize(message, sent.length & 255) });
  sent.push({ id, fields, message, bytes: sign(signing.serialize(message, sent.length & 255)) });
  const base = fields.filter(({ extension }) => !extension);
  const bytes = protocol1.serialize(message, sent.length & 255);
  // Version 1 has no extensions; where the other implementation writes them all the same, it is
  // not a frame of version 1.
  const size = base.reduce((end, { offset, size }) => Math.max(end, offset + size), 0);
  if (bytes.length === size + 8) sent.push({ id, fields: base, message, bytes });
}
const received = ours(["read"], sent.map(({ bytes }) => bytes.toString("hex")).join("\n"));
same("frames read", received.length, sent.length);
received.forEach(({ id, values, frame }, i) => {
  const name = `${registry[sent[i].id].MSG_NAME} of theirs`;
  same(`${name}: id`, id, sent[i].id);
  same(`${name}: frame`, frame, sent[i].bytes.toString("hex"));
  compareValues(name, values, sent[i].message, sent[i].fields);
});

const one = sent.filter(({ bytes }) => bytes[0] === 0xfe).length;
console.log(
  `${tables.length} messages, ${written.length} frames of ours, ${sent.length} of theirs ` +
    `(${one} of version 1): ${compared} comparisons, all equal`,
);
