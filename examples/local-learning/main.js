import { evaluate, init, lif, linear, sequential } from 'spikegrid';
import { broadcast, errorsOf, learn, ratesOf } from './local-rule.js';
import { moons } from './moons.js';

const [neurons, outputs, rows] = [100, 2, 50];
const layers = [
  [linear(neurons, { name: 'hidden' }), lif({ beta: 0.8 })],
  [linear(outputs, { name: 'output' }), lif({ beta: 0.8 })],
].flat();
const model = await init(sequential(layers, { input: 2, steps: 20 }), { device: 'wasm', seed: 1 });
for (let step = 0; step < 400; step++) {
  const { x, y } = moons(rows, step);
  const observed = await model.observe(x);
  const [hidden, output] = observed.layers.map((layer) => ratesOf(layer, rows));
  const errors = errorsOf(output, y, outputs);
  const signal = broadcast(hidden, errors, { neurons, outputs });
  learn(model, 'output', { input: hidden, signal: errors, rate: 0.3 });
  learn(model, 'hidden', { input: x, signal, rate: 0.3 });
}
const { accuracy } = await evaluate(model, moons(500, 1000));
console.log(`accuracy ${(100 * accuracy).toFixed(1)} %`);
