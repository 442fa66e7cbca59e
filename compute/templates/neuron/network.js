import { adamW, crossEntropy, evaluate, fit, init, linear, neuron, sequential } from 'spikegrid';
import { PERIODS, rhythms, STEPS } from './data.js';

/**
 * A layer of neurons between two of weights. Throws an error that shows what is wrong with the equations.
 * @param {string} equations
 */
export const networkOf = (equations) =>
  sequential([linear(32), neuron(equations, { name: 'neurons' }), linear(PERIODS.length)], {
    input: 1,
    steps: STEPS,
  });

/**
 * Trains such a network on `count` rhythms, and judges it on others.
 * @param {string} equations
 * @param {Partial<import('spikegrid').FitOptions> & { count?: number, fitWith?: typeof fit }} [options]
 */
export async function train(equations, { count = 600, fitWith = fit, ...options } = {}) {
  const model = await init(networkOf(equations), { device: 'wasm', seed: 1 });
  const history = await fitWith(model, rhythms(count, 1), {
    loss: crossEntropy({ on: 'values' }),
    optimizer: adamW(0.02),
    epochs: 10,
    ...options,
  });
  const { accuracy = 0 } = await evaluate(model, rhythms(150, 2));
  return { model, history, accuracy };
}
