import { address, bytes, real, whole } from './arguments';
import { philox, word0, word1, word2, word3 } from './philox';
import { BLOCK } from './rows';

/**
 * advance_clock: counts a step.
 *
 * Items      1
 */
export function advance_clock(args: usize, first: i32, last: i32, scratch: usize): void {
  const clock = address(args, 0);
  store<u32>(clock, load<u32>(clock) + 1);
}

/**
 * inject_current: drive += from + slope (t - start) while start <= t < stop.
 *
 * Items      blocks of 256 neurons of the range
 */
export function inject_current(args: usize, first: i32, last: i32, scratch: usize): void {
  const t = load<u32>(address(args, 0)),
    drive = address(args, 1) + bytes(whole(args, 2)),
    start = <u32>whole(args, 4);
  if (t < start || t >= <u32>whole(args, 5)) return;
  const current = real(args, 6) + real(args, 7) * <f32>(t - start);
  const end = min(whole(args, 3), last * BLOCK);
  for (let i = first * BLOCK; i < end; i++) add(drive + bytes(i), current);
}

/**
 * inject_noise: drive += mean + factor z, z from 96 coins and a uniform share (shaders/simulator/inject_noise).
 *
 * Items      blocks of 256 neurons of the range
 */
export function inject_noise(args: usize, first: i32, last: i32, scratch: usize): void {
  const clock = address(args, 0),
    drive = address(args, 1) + bytes(whole(args, 2)),
    stream = whole(args, 4),
    mean = real(args, 5),
    factor = real(args, 6);
  const end = min(whole(args, 3), last * BLOCK);
  for (let i = first * BLOCK; i < end; i++) {
    philox(i, stream, clock);
    const coins = popcnt<u32>(word0) + popcnt<u32>(word1) + popcnt<u32>(word2);
    const z = (<i32>coins - 48) * 65536 + <i32>(word3 >> 16) - 32768;
    add(drive + bytes(i), mean + factor * <f32>z);
  }
}

/**
 * inject_poisson: drive += weight k, k being how many thresholds a random word reaches.
 *
 * Items      blocks of 256 neurons of the range
 */
export function inject_poisson(args: usize, first: i32, last: i32, scratch: usize): void {
  const clock = address(args, 0),
    table = address(args, 1),
    drive = address(args, 2) + bytes(whole(args, 3)),
    count = whole(args, 4);
  const stream = whole(args, 5),
    weight = real(args, 6),
    entries = whole(args, 7);
  const end = min(count, last * BLOCK);
  for (let i = first * BLOCK; i < end; i += 4) {
    philox(i >> 2, stream, clock);
    addEvents(drive + bytes(i), table, entries, word0, weight);
    if (i + 1 < end) addEvents(drive + bytes(i + 1), table, entries, word1, weight);
    if (i + 2 < end) addEvents(drive + bytes(i + 2), table, entries, word2, weight);
    if (i + 3 < end) addEvents(drive + bytes(i + 3), table, entries, word3, weight);
  }
}

function addEvents(drive: usize, table: usize, entries: i32, word: u32, weight: f32): void {
  let events = 0;
  while (events < entries && word >= load<u32>(table + bytes(events))) events++;
  if (events > 0) add(drive, weight * <f32>events);
}

function add(at: usize, value: f32): void {
  store<f32>(at, load<f32>(at) + value);
}
