import {
  type Attractor,
  type AttractorSettings,
  type Code,
  type Cue,
  strongest,
} from './attractor.ts';

/*
 * Evidence in nats, as in Bayesian networks of such columns (Lansner & Ekeberg 1989). A spike of a column
 * that is right with odds `ODDS` comes to a neuron of the memory for certain, and to another one with its
 * chance of being connected: log(1 + odds / chance). Columns do not err independently, so it counts half.
 */
const ODDS = 2 / 3;
const INDEPENDENT = 0.5;
/** Evidence of a standard deviation of the cue, which is 0.6 alike the memory and lasts. */
const CUE_NATS = 2.4;
/** Where a state has not come to rest by then, it wanders between several. */
export const MOST_STEPS = 8;

/**
 * What a spike from another column says for each neuron, by the memories it belongs to: the more they are,
 * the less it says. Without this, neurons of what all texts have in common would win everywhere.
 */
export function gainsOf(memories: readonly number[], perColumn: number): Float32Array {
  return Float32Array.from(memories, (count) => {
    const chance = 1 - Math.exp(-count / perColumn);
    return count === 0 ? 0 : INDEPENDENT * Math.log1p(ODDS / chance);
  });
}

export interface SettleOptions {
  readonly settings: AttractorSettings;
  readonly gains: Float32Array;
  readonly steps: number;
}

/**
 * Lets the neuron of each column fire that the cue and the spikes of the other columns say most for, until
 * that changes nothing, or all that fire support each other, as those of a memory do.
 */
export async function settle(
  attractor: Attractor,
  cue: Cue,
  { settings, gains, steps }: SettleOptions,
): Promise<Code> {
  const { columns, perColumn } = settings;
  let { code } = cue;
  for (let step = 0; step < steps; step++) {
    // Each step needs what the one before gave.
    // oxlint-disable-next-line no-await-in-loop
    const support = await attractor.support(code);
    if (code.every((neuron, c) => support[c * perColumn + neuron] === columns)) break;
    for (const [i, spikes] of support.entries()) {
      support[i] = (gains[i] ?? 0) * spikes + CUE_NATS * (cue.current[i] ?? 0);
    }
    const next = strongest(support, settings);
    if (next.every((neuron, column) => neuron === code[column])) break;
    code = next;
  }
  return code;
}
