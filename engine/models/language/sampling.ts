import { EngineError } from '../../errors.ts';
import { keyOf, philox } from '../../random/philox.ts';

/** How the next token is drawn from the logits. */
export interface Sampling {
  /** Divides the logits; 0 always takes the most likely token. */
  readonly temperature: number;
  /** Keep only this many of the most likely tokens; 0 keeps all. */
  readonly topK: number;
  /** Keep the most likely tokens that together reach this probability; 1 keeps all. */
  readonly topP: number;
  readonly seed: number;
}

/** Sampling that suits small models of characters: temperature 0.8, nucleus 0.95. */
export const defaultSampling: Sampling = { temperature: 0.8, topK: 0, topP: 0.95, seed: 1 };

const SAMPLE_STREAM = 0x53414d50;

/** Throws EngineError `invalid-setting` naming the value and what was expected. */
export function checkSampling({ temperature, topK, topP, seed }: Sampling): void {
  if (!(temperature >= 0 && temperature < Number.POSITIVE_INFINITY)) {
    refuse(`temperature is ${temperature}: expected 0 or a positive number`);
  }
  if (!(Number.isSafeInteger(topK) && topK >= 0)) {
    refuse(`top_k is ${topK}: expected a whole number, 0 for all`);
  }
  if (!(topP > 0 && topP <= 1)) refuse(`top_p is ${topP}: expected a number above 0, up to 1`);
  if (!(Number.isSafeInteger(seed) && seed >= 0)) {
    refuse(`seed is ${seed}: expected a whole number of at least 0`);
  }
}

/** Draws a token; the draw depends on the seed and the token's position alone. */
export function sampleToken(logits: Float32Array, sampling: Sampling, position: number): number {
  const scored = Array.from(logits, (logit, id) => ({ id, logit })).toSorted(
    (a, b) => b.logit - a.logit || a.id - b.id,
  );
  const best = scored[0] ?? { id: 0, logit: 0 };
  if (sampling.temperature === 0) return best.id;
  const kept = sampling.topK > 0 ? scored.slice(0, sampling.topK) : scored;
  const weights = kept.map(({ logit }) => Math.exp((logit - best.logit) / sampling.temperature));
  const nucleus = nucleusSize(weights, sampling.topP);
  const [word = 0] = philox([position, 0, 0, SAMPLE_STREAM], keyOf(sampling.seed));
  const drawn = draw(weights.slice(0, nucleus), word / 2 ** 32);
  return (kept[drawn] ?? best).id;
}

/** The index that a uniform number in [0, 1) falls on when each takes its weight's share. */
function draw(weights: readonly number[], uniform: number): number {
  let rest = uniform * weights.reduce((a, b) => a + b, 0);
  const hit = weights.findIndex((weight) => (rest -= weight) < 0);
  return hit < 0 ? weights.length - 1 : hit;
}

/** How many of the weights, from the largest, reach the share `topP` of their sum. */
function nucleusSize(weights: readonly number[], topP: number): number {
  const goal = topP * weights.reduce((a, b) => a + b, 0);
  let reached = 0;
  for (const [i, weight] of weights.entries()) {
    reached += weight;
    if (reached >= goal) return i + 1;
  }
  return weights.length;
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
