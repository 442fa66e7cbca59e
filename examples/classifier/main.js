import { adamW, crossEntropy, evaluate, fit, init, lif, linear, sequential } from 'spikegrid';
import { prints } from './prints.js';

const network = sequential([linear(1000), lif({ beta: 0.95 }), linear(10), lif({ beta: 0.95 })], {
  input: 784,
  steps: 25,
});
const model = await init(network, { seed: 1 });
await fit(model, prints(1024, 1), {
  loss: crossEntropy(),
  optimizer: adamW(5e-4),
  epochs: 1,
  batchSize: 128,
});
const { accuracy } = await evaluate(model, prints(256, 2));
console.log(`accuracy ${(100 * accuracy).toFixed(1)} %`);
