import { simulatorKernels, NOISE_DEVIATION } from '../kernels/simulator.ts';
import { randomKernels } from '../kernels/memory.ts';
import { wordsPerRow } from '../graph/tensor.ts';
import { keyOf } from '../random/philox.ts';
import { POISSON, type PopulationSpec, REPLAY, type StimulusSpec } from './description.ts';
import { createDraws, valueOf } from './draws.ts';
import type { Tracing } from './tracing.ts';

const MS = 1000;
const NEVER = 2 ** 32 - 1;

interface Timing {
  /** Separates the random numbers from those of other parts. */
  readonly stream: number;
  readonly seed: number;
  readonly dt: number;
}

/** Records how a population fires that has no neurons. */
export function recordSource(tracing: Tracing, spec: PopulationSpec, timing: Timing): void {
  if (spec.model === POISSON) recordPoisson(tracing, spec, timing);
  if (spec.model === REPLAY) recordReplay(tracing, spec);
}

function recordPoisson(
  { graph, clock, find, persistent }: Tracing,
  { name, count, parameters }: PopulationSpec,
  { stream, seed, dt }: Timing,
): void {
  const rateOf = valueOf(parameters?.['rate'] ?? 0, createDraws(keyOf(seed), stream));
  // The probability of at least one event within a step.
  const chances = Float32Array.from(
    { length: count },
    (_, i) => -Math.expm1((-rateOf(i) * dt) / MS),
  );
  const probabilities = persistent(`${name}.probabilities`, 'f32', [count], chances);
  const operands = { probabilities, clock, spikes: find(`${name}.spikes`) };
  graph.call(randomKernels.random_spikes, operands, {
    rows: 1,
    width: count,
    stream,
    probabilityRows: 1,
  });
}

/** Packs the given spikes as the words of each step that are not 0. */
function recordReplay(
  { graph, clock, find, persistent }: Tracing,
  { name, count, spikes = [] }: PopulationSpec,
): void {
  const words = wordsPerRow(count);
  const packed = new Map<number, number>();
  for (const [step, neuron] of spikes) {
    const key = step * words + (neuron >>> 5);
    packed.set(key, (packed.get(key) ?? 0) | (1 << (neuron & 31)));
  }
  const keys = [...packed.keys()].toSorted((a, b) => a - b);
  const steps = Math.floor((keys.at(-1) ?? -1) / words) + 1;
  const starts = new Uint32Array(steps + 1);
  for (const key of keys) {
    const after = Math.floor(key / words) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let t = 1; t <= steps; t++) starts[t] = (starts[t] ?? 0) + (starts[t - 1] ?? 0);
  const word = Uint32Array.from(keys, (key) => key % words);
  const fired = Uint32Array.from(keys, (key) => packed.get(key) ?? 0);
  const operands = {
    clock,
    stepStart: persistent(`${name}.stepStart`, 'u32', [starts.length], starts),
    word: persistent(`${name}.word`, 'u32', [keys.length], word),
    fired: persistent(`${name}.fired`, 'u32', [keys.length], fired),
    spikes: find(`${name}.spikes`),
  };
  graph.call(simulatorKernels.replay_spikes, operands, { count, steps });
}

/** Records the contribution of a stimulus to the input of its neurons. */
export function recordStimulus(
  { graph, clock, find, persistent }: Tracing,
  stimulus: StimulusSpec,
  { count: all, stream, dt }: Omit<Timing, 'seed'> & { readonly count: number },
): void {
  const drive = find(`${stimulus.to}.drive`);
  const [first, count] = stimulus.neurons ?? [0, all];
  const range = { first, count };
  switch (stimulus.kind) {
    case 'current':
      graph.call(
        simulatorKernels.inject_current,
        { clock, drive },
        { ...range, ...courseOf(stimulus, dt) },
      );
      break;
    case 'noise': {
      const factor = stimulus.deviation / NOISE_DEVIATION;
      graph.call(
        simulatorKernels.inject_noise,
        { clock, drive },
        { ...range, stream, mean: stimulus.mean, factor },
      );
      break;
    }
    case 'poisson': {
      const thresholds = poissonThresholds((stimulus.rate * dt) / MS);
      const entries = thresholds.length;
      const table = persistent(`${stimulus.to}.events${stream}`, 'u32', [entries], thresholds);
      const { weight } = stimulus;
      graph.call(
        simulatorKernels.inject_poisson,
        { clock, table, drive },
        { ...range, stream, weight, entries },
      );
    }
  }
}

/** Begin and end of a current in steps, with its start value and slope. */
function courseOf(
  { current, start = 0, stop }: Extract<StimulusSpec, { kind: 'current' }>,
  dt: number,
): { start: number; stop: number; from: number; slope: number } {
  const begin = Math.min(Math.round(start / dt), NEVER);
  const end = stop === undefined ? NEVER : Math.min(Math.round(stop / dt), NEVER);
  if (typeof current === 'number') return { start: begin, stop: end, from: current, slope: 0 };
  const [from, until] = current;
  return { start: begin, stop: end, from, slope: (until - from) / Math.max(1, end - begin) };
}

/**
 * 2^32 times the cumulative probability of each number of events: a random word exceeds as many of these as
 * there are events. Ends where less than one word in 2^32 is left.
 */
export function poissonThresholds(mean: number): Uint32Array {
  const thresholds: number[] = [];
  let atMost = 0;
  for (let k = 0, logOfFactorial = 0; ; k++) {
    if (k > 0) logOfFactorial += Math.log(k);
    atMost += mean === 0 ? Number(k === 0) : Math.exp(k * Math.log(mean) - mean - logOfFactorial);
    const threshold = Math.round(atMost * 2 ** 32);
    if (threshold >= 2 ** 32 - 1 || (k > mean && thresholds.at(-1) === threshold)) break;
    thresholds.push(threshold);
  }
  return Uint32Array.from(thresholds);
}
