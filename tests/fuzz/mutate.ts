import type { Draws } from './draws.ts';

/** Bytes that a case has at most; a block that is repeated may make it so large. */
const MAX_BYTES = 1 << 16;
/** Of one case in so many: what takes more than linear time shows on a long one. */
const RARELY = 1 / 500;
const LONG_BYTES = 1 << 18;

/** Lengths, counts and offsets that readers trip over, in 1, 2, 4 or 8 bytes. */
const EDGES = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000] as const;
const ALL_ONES = 0xffffffff;
/** Values that break parsers of numbers, dates and paths. */
const WORDS = [
  ...['0', '-0', '-1', '1e999', '-1e999', '1e-999', 'NaN', 'Infinity', 'null', 'true', '""', '{}'],
  ...['9007199254740993', '18446744073709551616', '1.7976931348623157e308', '2147483648', '0x10'],
  ...[
    '__proto__',
    'constructor',
    '../',
    '%2e%2e%2f',
    '%',
    '\u0000',
    '\ud800',
    '\u{1f600}',
    '\ufeff',
  ],
  ...['9999-12-31T23:59:59Z', '275760-09-13T00:00:00Z', '0000-00-00', '[', '{"a":', '(', '\\', '"'],
  ...['{1,1000}', '(a+)+$', '\r\n\r\n', ',,,,', '   ', '+Inf', ';q=0', '\n'],
] as const;

type Change = (bytes: Uint8Array, draws: Draws, others: readonly Uint8Array[]) => Uint8Array;

/** Some changes, one after another, to one of the seeds. */
export function mutateBytes(seeds: readonly Uint8Array[], draws: Draws): Uint8Array {
  let bytes = draws.pick(seeds) ?? new Uint8Array();
  for (let left = 1 + draws.below(4); left > 0; left--) {
    bytes = draws.pick(CHANGES)(bytes, draws, seeds).subarray(0, MAX_BYTES);
  }
  return draws.chance(RARELY) ? repeatedLong(bytes, draws) : bytes;
}

const CHANGES: readonly [Change, ...Change[]] = [
  flipBit,
  flipBit,
  setByte,
  setEdge,
  setEdge,
  nudgeNumber,
  cutOff,
  cutOut,
  insertWord,
  repeatBlock,
  splice,
  swapBlocks,
];

function flipBit(bytes: Uint8Array, draws: Draws): Uint8Array {
  const at = draws.below(bytes.length);
  return bytes.length === 0 ? bytes : bytes.with(at, (bytes[at] ?? 0) ^ (1 << draws.below(8)));
}

function setByte(bytes: Uint8Array, draws: Draws): Uint8Array {
  return bytes.length === 0 ? bytes : bytes.with(draws.below(bytes.length), draws.below(256));
}

/** A length field that lies. */
function setEdge(bytes: Uint8Array, draws: Draws): Uint8Array {
  const value = draws.chance(0.2) ? ALL_ONES - draws.below(16) : draws.pick(EDGES);
  return writeNumber(bytes, draws, () => value);
}

function nudgeNumber(bytes: Uint8Array, draws: Draws): Uint8Array {
  const by = draws.pick([-2, -1, 1, 2, 8, 256] as const);
  return writeNumber(bytes, draws, (old) => old + by);
}

function writeNumber(bytes: Uint8Array, draws: Draws, change: (old: number) => number): Uint8Array {
  const width = draws.pick([1, 2, 4, 8] as const);
  if (bytes.length < width) return bytes;
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  const at = draws.below(bytes.length - width + 1);
  const isLittle = draws.chance(0.5);
  if (width === 1) view.setUint8(at, change(view.getUint8(at)));
  if (width === 2) view.setUint16(at, change(view.getUint16(at, isLittle)), isLittle);
  if (width === 4) view.setUint32(at, change(view.getUint32(at, isLittle)), isLittle);
  if (width === 8) {
    const old = Number(view.getBigUint64(at, isLittle) & 0xffff_ffffn);
    view.setBigUint64(at, BigInt.asUintN(64, BigInt(change(old))), isLittle);
  }
  return changed;
}

function cutOff(bytes: Uint8Array, draws: Draws): Uint8Array {
  return bytes.subarray(0, draws.below(bytes.length + 1));
}

function cutOut(bytes: Uint8Array, draws: Draws): Uint8Array {
  const [from, to] = span(bytes, draws);
  return joined(bytes.subarray(0, from), bytes.subarray(to));
}

function insertWord(bytes: Uint8Array, draws: Draws): Uint8Array {
  const at = draws.below(bytes.length + 1);
  const word = new TextEncoder().encode(draws.pick(WORDS));
  const behind = draws.chance(0.5) ? at : Math.min(bytes.length, at + word.length);
  return joined(bytes.subarray(0, at), word, bytes.subarray(behind));
}

function repeatBlock(bytes: Uint8Array, draws: Draws): Uint8Array {
  const [from, to] = span(bytes, draws);
  const times = 1 + draws.below(draws.chance(0.1) ? 200 : 4);
  const block = bytes.subarray(from, Math.min(to, from + Math.ceil(MAX_BYTES / (times + 1))));
  const blocks = Array.from({ length: times }, () => block);
  return joined(bytes.subarray(0, to), ...blocks, bytes.subarray(to));
}

function splice(bytes: Uint8Array, draws: Draws, others: readonly Uint8Array[]): Uint8Array {
  const other = draws.pick(others) ?? bytes;
  const [from, to] = span(other, draws);
  const at = draws.below(bytes.length + 1);
  return joined(bytes.subarray(0, at), other.subarray(from, to), bytes.subarray(at));
}

function swapBlocks(bytes: Uint8Array, draws: Draws): Uint8Array {
  const [a, b] = span(bytes, draws);
  const middle = a + draws.below(b - a + 1);
  return joined(
    bytes.subarray(0, a),
    bytes.subarray(middle, b),
    bytes.subarray(a, middle),
    bytes.subarray(b),
  );
}

/** The begin of a case once and then a short block of it over and over. */
function repeatedLong(bytes: Uint8Array, draws: Draws): Uint8Array {
  const from = draws.below(bytes.length + 1);
  const block = bytes.subarray(from, from + 1 + draws.below(8));
  if (block.length === 0) return bytes;
  const blocks = new Uint8Array(LONG_BYTES).map((_, i) => block[i % block.length] ?? 0);
  return joined(bytes.subarray(0, from), blocks, bytes.subarray(from));
}

function span({ length }: Uint8Array, draws: Draws): readonly [number, number] {
  const from = draws.below(length + 1);
  const most = draws.chance(0.5) ? 16 : length;
  return [from, Math.min(length, from + draws.below(most + 1))];
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export { WORDS };
