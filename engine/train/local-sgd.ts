import { digestOf } from '../checkpoint/files.ts';
import { EngineError } from '../errors.ts';
import { keyOf, philox } from '../random/philox.ts';

/**
 * Training on several trainers at once (DiLoCo, Douillard et al. 2023): each trains some steps from the
 * same parameters, then all take one outer step along the average of what they learned.
 *
 *   delta_i = base - local_i                                   what member i would take away
 *   average = sum_i tokens_i * delta_i / sum_i tokens_i        in the order given
 *   m       = momentum * m + average                           Nesterov
 *   base    = base - learningRate * (average + momentum * m)
 *
 * Every member computes this for itself and gets the same bits: plain float64 arithmetic, rounded to
 * float32 where it is stored, in one fixed order and on no device.
 */
export interface OuterState {
  /** Parameters at the start of the next round, as `TrainingRun.parameters` returns them. */
  readonly parameters: Float32Array;
  readonly momentum: Float32Array;
  /** Rounds done. */
  readonly round: number;
  /** Tokens that all members have trained on. */
  readonly tokens: number;
}

export interface OuterOptions {
  readonly learningRate: number;
  readonly momentum: number;
}

/** Numbers that share a scale. */
export const QUANTISED_BLOCK = 256;
const MAX = 127;

/** A difference of parameters as it travels: in float32, or in int8 with a scale for each block. */
export type Delta =
  | { readonly kind: 'float32'; readonly values: Float32Array }
  | { readonly kind: 'int8'; readonly values: Int8Array; readonly scales: Float32Array };

export interface Contribution {
  readonly delta: Delta;
  /** The weight of its part of the average. */
  readonly tokens: number;
}

/** Where a distributed run starts. */
export function startOuter(parameters: Float32Array): OuterState {
  return { parameters, momentum: new Float32Array(parameters.length), round: 0, tokens: 0 };
}

/** The change that a member learned in a round, with the sign of a gradient. */
export function deltaOf(base: Float32Array, local: Float32Array): Float32Array {
  checkLength('local parameters', local.length, base.length);
  return base.map((value, i) => value - (local[i] as number));
}

/**
 * Rounds a delta to int8 and tells what that left over. The residual goes into the member's next
 * delta, so that over many rounds nothing is lost (error feedback). A member whose contribution was
 * left out of its round keeps the residual it had before. Throws EngineError `diverged` where the
 * delta is not finite.
 */
export function quantiseDelta(
  delta: Float32Array,
  residual: Float32Array,
): { readonly delta: Delta; readonly residual: Float32Array } {
  checkLength('residual', residual.length, delta.length);
  const wanted = delta.map((value, i) => value + (residual[i] as number));
  const scales = new Float32Array(Math.ceil(delta.length / QUANTISED_BLOCK));
  const values = new Int8Array(delta.length);
  for (let block = 0; block < scales.length; block++) {
    const first = block * QUANTISED_BLOCK;
    const numbers = wanted.subarray(first, first + QUANTISED_BLOCK);
    const scale = Math.fround(largestOf(numbers) / MAX);
    scales[block] = scale;
    // Zero, too, where the largest is so small that the scale is.
    if (scale === 0) continue;
    for (let i = 0; i < numbers.length; i++) {
      const rounded = Math.round((numbers[i] as number) / scale);
      values[first + i] = Math.max(-MAX, Math.min(MAX, rounded));
    }
  }
  const quantised = { kind: 'int8', values, scales } as const;
  return { delta: quantised, residual: deltaOf(wanted, dequantise(quantised)) };
}

function largestOf(numbers: Float32Array): number {
  let largest = 0;
  for (const number of numbers) {
    if (!Number.isFinite(number)) {
      throw new EngineError('diverged', `a difference of parameters is ${number}`);
    }
    largest = Math.max(largest, Math.abs(number));
  }
  return largest;
}

/** The numbers that a delta stands for. */
export function dequantise(delta: Delta): Float32Array {
  const values = new Float32Array(delta.values.length);
  for (let i = 0; i < values.length; i++) values[i] = valueAt(delta, i);
  return values;
}

/** Rounded to float32, as `dequantise` stores it. */
function valueAt(delta: Delta, i: number): number {
  const value = delta.values[i] as number;
  if (delta.kind === 'float32') return value;
  return Math.fround(value * (delta.scales[Math.floor(i / QUANTISED_BLOCK)] as number));
}

/** The mean of the contributions by their tokens. Their order decides the last bits: it must be agreed. */
export function averageDeltas(contributions: readonly Contribution[]): Float32Array {
  const count = contributions[0]?.delta.values.length ?? 0;
  for (const { delta } of contributions) checkLength('delta', delta.values.length, count);
  const total = tokensOf(contributions);
  const average = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (const { delta, tokens } of contributions) sum += valueAt(delta, i) * tokens;
    average[i] = sum / total;
  }
  return average;
}

/** Takes a closed round: the state that every member continues from. */
export function closeRound(
  state: OuterState,
  contributions: readonly Contribution[],
  options: OuterOptions,
): OuterState {
  const { parameters, momentum } = outerStep(state, averageDeltas(contributions), options);
  const { round, tokens } = state;
  return { parameters, momentum, round: round + 1, tokens: tokens + tokensOf(contributions) };
}

/** One step of stochastic gradient descent with Nesterov momentum along an averaged delta. */
export function outerStep(
  state: Pick<OuterState, 'parameters' | 'momentum'>,
  average: Float32Array,
  options: OuterOptions,
): Pick<OuterState, 'parameters' | 'momentum'> {
  const { learningRate } = options;
  checkLength('averaged delta', average.length, state.parameters.length);
  const momentum = state.momentum.map((m, i) => options.momentum * m + (average[i] as number));
  const parameters = state.parameters.map((value, i) => {
    const step = (average[i] as number) + options.momentum * (momentum[i] as number);
    return value - learningRate * step;
  });
  return { parameters, momentum };
}

/** `sha256:` and the SHA-256 of the numbers in little-endian float32: the same on every member. */
export function parametersDigest(parameters: Float32Array): string {
  const { buffer, byteOffset, byteLength } = parameters;
  return `sha256:${digestOf(new Uint8Array(buffer, byteOffset, byteLength))}`;
}

const DATA_STREAM = 0x53454154;

/** The seed of the windows that a member draws in a round: no two members draw the same. */
export function memberDataSeed(seed: number, seat: number, round: number): number {
  const [low = 0, high = 0] = philox([seat, round, 0, DATA_STREAM], keyOf(seed));
  return (high >>> 11) * 2 ** 32 + low;
}

function tokensOf(contributions: readonly Contribution[]): number {
  const total = contributions.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total > 0) return total;
  throw new EngineError('invalid-setting', `${total} tokens were contributed: expected some`);
}

function checkLength(what: string, found: number, expected: number): void {
  if (found === expected) return;
  throw new EngineError('shape-mismatch', `${what}: ${found} numbers, expected ${expected}`);
}
