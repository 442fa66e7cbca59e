import { init, lif, linear, sequential } from 'spikegrid';
import { show } from './show.js';

const layers = [
  linear(40),
  lif({ beta: 0.9, name: 'hidden' }),
  linear(10),
  lif({ name: 'output' }),
];
const model = await init(sequential(layers, { input: 16, steps: 60 }), { seed: 1 });
const x = Float32Array.from({ length: 16 }, (_, i) => Math.sin(i) + 1);
for (const { name, spikes, membranes, rates } of (await model.observe(x)).layers) {
  await show(name, { spikes, membranes, rates });
  const mean = rates.reduce((sum, rate) => sum + rate) / rates.length;
  console.log(`${name}: ${rates.length} neurons fire in ${(100 * mean).toFixed(1)} % of steps`);
}
