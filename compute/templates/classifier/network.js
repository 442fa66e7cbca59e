import { adamW, crossEntropy, evaluate, fit, init, lif, linear, sequential } from 'spikegrid';
import { CLASSES, drawings, SIDE } from './data.js';

export const network = sequential(
  [linear(128), lif({ beta: 0.9 }), linear(CLASSES.length), lif({ beta: 0.9 })],
  { input: SIDE * SIDE, steps: 10 },
);

/**
 * Trains a model on `count` drawings, and judges it on others.
 * @param {Partial<import('spikegrid').FitOptions> & { count?: number, fitWith?: typeof fit }} [options]
 */
export async function train({ count = 2000, fitWith = fit, ...options } = {}) {
  const model = await init(network, { device: 'wasm', seed: 1 });
  const history = await fitWith(model, drawings(count, 1), {
    loss: crossEntropy(),
    optimizer: adamW(5e-3),
    epochs: 5,
    ...options,
  });
  const { accuracy = 0 } = await evaluate(model, drawings(400, 2));
  return { model, history, accuracy };
}
