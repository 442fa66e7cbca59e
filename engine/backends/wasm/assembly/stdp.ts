import { StdpDepress, StdpPotentiate } from './generated/arguments';
import { DENSE_SOURCES } from './generated/sizes';
import { bytes } from './bytes';
import { loadUpTo, storeUpTo } from './rows';

function clamp(w: f32, low: f32, high: f32): f32 {
  return max(low, min(high, w));
}

/** Amplitude of a spike of neuron `n`: that of pairs and what the slow trace adds to it. */
function amplitudeOf(slow: usize, n: i32, pair: f32, triplet: f32): f32 {
  return slow == 0 ? pair : pair + triplet * load<f32>(slow + bytes(n));
}

/**
 * stdp_depress: weakens the synapses of sources that fired, by the trace of their targets.
 *
 *   w -= y_j (pair + triplet r2_i) (w - low if soft)
 *
 * Items      words of spikes of the sources
 */
export function stdp_depress(args: StdpDepress, first: i32, last: i32): void {
  const spikes = args.spikesAt,
    trace = args.traceAt,
    slow = args.slowAt;
  const rowStart = args.rowStartAt,
    target = args.targetAt,
    weight = args.weightAt;
  const post = args.post,
    pair = args.pair,
    triplet = args.slowAmplitude;
  const low = args.low,
    high = args.high,
    soft = args.soft != 0;
  for (let item = first; item < last; item++) {
    for (let word = load<u32>(spikes + bytes(item)); word != 0; word &= word - 1) {
      const i = (item << 5) + <i32>ctz(word);
      const amplitude = amplitudeOf(slow, i, pair, triplet);
      if (rowStart == 0) {
        depressRow(weight + bytes(post) * i, trace, post, amplitude, low, high, soft);
        continue;
      }
      const end = load<i32>(rowStart + bytes(i + 1));
      for (let k = load<i32>(rowStart + bytes(i)); k < end; k++) {
        const at = weight + bytes(k),
          w = load<f32>(at);
        const y = load<f32>(trace + bytes(load<i32>(target + bytes(k))));
        store<f32>(at, clamp(w - amplitude * y * (soft ? w - low : 1), low, high));
      }
    }
  }
}

/** The same for a row of dense synapses, four at a time. */
function depressRow(
  weight: usize,
  trace: usize,
  post: i32,
  amplitude: f32,
  low: f32,
  high: f32,
  soft: bool,
): void {
  const least = f32x4.splat(low),
    most = f32x4.splat(high),
    factor = f32x4.splat(amplitude);
  for (let j = 0; j < post; j += 4) {
    const at = weight + bytes(j),
      left = post - j;
    const w = loadUpTo(at, left);
    let change = f32x4.mul(factor, loadUpTo(trace + bytes(j), left));
    if (soft) change = f32x4.mul(change, f32x4.sub(w, least));
    storeUpTo(at, f32x4.max(least, f32x4.min(most, f32x4.sub(w, change))), left);
  }
}

/**
 * stdp_potentiate: strengthens the synapses of targets that fired, by the trace of their sources.
 *
 *   w += x_i (pair + triplet o2_j) (high - w if soft)
 *
 * Items      words of spikes of the targets
 */
export function stdp_potentiate(args: StdpPotentiate, first: i32, last: i32): void {
  const spikes = args.spikesAt,
    trace = args.traceAt,
    slow = args.slowAt;
  const columnStart = args.columnStartAt,
    synapseOf = args.synapseOfAt,
    source = args.sourceAt,
    weight = args.weightAt;
  const pair = args.pair,
    triplet = args.slowAmplitude;
  const low = args.low,
    high = args.high,
    soft = args.soft != 0;
  for (let item = first; item < last; item++) {
    for (let word = load<u32>(spikes + bytes(item)); word != 0; word &= word - 1) {
      const j = (item << 5) + <i32>ctz(word);
      const amplitude = amplitudeOf(slow, j, pair, triplet);
      const end = load<i32>(columnStart + bytes(j + 1));
      for (let c = load<i32>(columnStart + bytes(j)); c < end; c++) {
        const at = weight + bytes(load<i32>(synapseOf + bytes(c))),
          w = load<f32>(at);
        const x = load<f32>(trace + bytes(load<i32>(source + bytes(c))));
        store<f32>(at, clamp(w + amplitude * x * (soft ? high - w : 1), low, high));
      }
    }
  }
}

/**
 * stdp_potentiate_dense: the same for dense synapses, whose columns lie across all rows: row by row.
 *
 * Items      groups of 32 sources
 * Scratch    two words a target
 */
export function stdp_potentiate_dense(
  args: StdpPotentiate,
  first: i32,
  last: i32,
  scratch: usize,
): void {
  const trace = args.traceAt,
    weight = args.weightAt;
  const pre = args.pre,
    post = args.post;
  const low = args.low,
    high = args.high,
    soft = args.soft != 0;
  const end = scratch + bytes(listFired(args, post, scratch) << 1);
  if (end == scratch) return;
  for (let i = first * DENSE_SOURCES; i < min(pre, last * DENSE_SOURCES); i++) {
    const row = weight + bytes(post) * i,
      x = load<f32>(trace + bytes(i));
    for (let fired = scratch; fired < end; fired += 8) {
      const at = row + load<u32>(fired),
        w = load<f32>(at);
      store<f32>(at, clamp(w + load<f32>(fired, 4) * x * (soft ? high - w : 1), low, high));
    }
  }
}

/** Places in a row of the targets that fired, each with its amplitude; returns how many there are. */
function listFired(args: StdpPotentiate, post: i32, list: usize): i32 {
  const spikes = args.spikesAt,
    slow = args.slowAt;
  const pair = args.pair,
    triplet = args.slowAmplitude;
  let count: i32 = 0;
  for (let item = 0; item < (post + 31) >> 5; item++) {
    for (let word = load<u32>(spikes + bytes(item)); word != 0; word &= word - 1) {
      const j = (item << 5) + <i32>ctz(word),
        entry = list + bytes(count << 1);
      store<u32>(entry, <u32>bytes(j));
      store<f32>(entry, amplitudeOf(slow, j, pair, triplet), 4);
      count++;
    }
  }
  return count;
}
