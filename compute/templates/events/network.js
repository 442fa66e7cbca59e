import {
  adamW,
  crossEntropy,
  evaluate,
  fit,
  init,
  lif,
  linear,
  recurrentLif,
  sequential,
} from 'spikegrid';
import { binEvents, eventExamples } from 'spikegrid/data';
import { DIRECTIONS, recordings, SIDE } from './data.js';

const STEPS = 12;

/**
 * Equal bins from the first event to the last. Both polarities are one channel, so that the direction is in the order
 * of the spikes alone.
 */
const RULE = /** @type {const} */ ({ steps: STEPS, polarity: 'merged', value: 'binary' });

export const network = sequential(
  [linear(96), recurrentLif({ beta: 0.9 }), linear(DIRECTIONS.length), lif({ beta: 0.9 })],
  { input: SIDE * SIDE, steps: STEPS },
);

/**
 * Events as the network reads them, `[steps, pixels]`.
 * @param {import('spikegrid/data').EventList} events
 */
export const framesOf = (events) => binEvents(events, RULE).data;

/**
 * Trains a model on `count` recordings, and judges it on others.
 * @param {Partial<import('spikegrid').FitOptions> & { count?: number, fitWith?: typeof fit }} [options]
 */
export async function train({ count = 400, fitWith = fit, ...options } = {}) {
  const model = await init(network, { device: 'wasm', seed: 1 });
  const history = await fitWith(model, eventExamples(recordings(count, 1), RULE), {
    loss: crossEntropy(),
    optimizer: adamW(3e-3, { clip: { norm: 1 } }),
    epochs: 6,
    ...options,
  });
  const { accuracy = 0 } = await evaluate(model, eventExamples(recordings(200, 2), RULE));
  return { model, history, accuracy };
}
