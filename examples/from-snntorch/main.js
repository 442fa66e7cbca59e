// #region network
import { lif, linear, sequential } from 'spikegrid';

const network = sequential([linear(64), lif({ beta: 0.9 }), linear(2), lif({ beta: 0.9 })], {
  input: 2,
  steps: 25,
});
// #endregion network

import { moons } from './moons.js';
const [train, test] = [moons(800, 1), moons(200, 2)];

// #region train
import { adamW, crossEntropy, fit, init } from 'spikegrid';

const model = await init(network, { seed: 1 });
await fit(model, train, {
  loss: crossEntropy({ on: 'counts' }),
  optimizer: adamW(1e-2),
  epochs: 10,
  batchSize: 64,
});
// #endregion train

// #region judge
import { evaluate } from 'spikegrid';

const { accuracy } = await evaluate(model, test);
// #endregion judge
console.log(`accuracy ${(100 * accuracy).toFixed(1)} %`);

// #region record
const { layers } = await model.observe(test.x.slice(0, 2));
const [hidden, output] = layers;
console.log(hidden.spikes.length, output.membranes.length);
// #endregion record

// #region save
import { load } from 'spikegrid';

const bytes = model.save();
const again = await load(bytes);
// #endregion save
const scores = async (one) => [...(await one.predict(test.x)).scores].join();
console.log((await scores(model)) === (await scores(again)) ? 'the same scores' : 'other scores');

// #region encode
/** Spikes of rates from 0 to 1, `[count, steps, features]`, as `x` of `fit` and `predict`. */
function rateCode(rates, { features, steps, random }) {
  const count = rates.length / features;
  return Uint8Array.from({ length: count * steps * features }, (_, at) => {
    const [row, feature] = [Math.floor(at / (steps * features)), at % features];
    return random() < rates[row * features + feature] ? 1 : 0;
  });
}
// #endregion encode
const coded = rateCode(Float32Array.of(0.2, 0.8), { features: 2, steps: 25, random: Math.random });
console.log((await model.predict(coded)).classes.length, 'example of spikes');

// #region neurons
import { currentLif, neuron, plif, recurrentLif } from 'spikegrid';

const learned = plif({ beta: 0.9, per: 'neuron' });
const recurrent = recurrentLif({ beta: 0.9, surrogate: 'fast_sigmoid' });
const synaptic = currentLif({ alpha: 0.9, beta: 0.8 });
const lapicque = neuron(`state u = 0
  u = u + 0.1 * (I - u)
  s = spike(u - 1)
  u = u - detach(s)`);
// #endregion neurons
sequential([linear(8), learned, recurrent, synaptic, lapicque], { input: 2, steps: 5 });
