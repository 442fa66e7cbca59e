import { adamW, alif, crossEntropy, delays, evaluate, fit } from 'spikegrid';
import { init, lif, linear, sequential } from 'spikegrid';
import { matches } from './matches.js';

const seeds = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [0];
const neurons = { beta: 0.5, adaptationBeta: 0.8, surrogate: 'fast_sigmoid' };
const networks = {
  'recurrence and delays': [delays(20), linear(64), alif({ ...neurons, recurrent: true })],
  neither: [linear(64), alif(neurons)],
};
for (const [name, layers] of Object.entries(networks)) {
  const network = sequential([...layers, linear(2), lif()], { input: 20, steps: 30 });
  for (const seed of seeds) {
    const model = await init(network, { device: 'wasm', seed });
    await fit(model, matches(3000, seed), {
      loss: crossEntropy({ on: 'membranes-max' }),
      optimizer: adamW(0.01, { clip: { norm: 1 } }),
      epochs: 20,
      batchSize: 64,
      seed,
    });
    const on = 'membranes-max';
    const { accuracy } = await evaluate(model, matches(500, 100 + seed), { on });
    console.log(`${name}, seed ${seed}: ${(100 * accuracy).toFixed(1)} % of matches found`);
  }
}
