import { adamW, init, lif, linear, sequential, sgd } from 'spikegrid';
import {
  compile,
  formula,
  rowCrossEntropy,
  rowMeans,
  spikeCounts,
  spikeRates,
} from 'spikegrid/graph';
import { moons } from './moons.js';

const layers = [linear(64, { name: 'hidden' }), lif(), linear(2, { name: 'output' }), lif()];
const model = await init(sequential(layers, { input: 2, steps: 10 }), { seed: 1 });
const [rows, steps, clip] = [50, 200, { norm: 1 }];
const optimizers = [
  { prefix: 'hidden', optimizer: adamW(0.01, { clip }) },
  { prefix: 'output', optimizer: sgd(0.05, { momentum: 0.9, clip }) },
];
const { programs, values } = await compile(model, {
  step({ graph, input, forward, train }) {
    const outputs = forward(model.network, input('x', [1, rows, 2]), { isTraining: true });
    const counts = spikeCounts(graph, outputs.spikes);
    const error = rowCrossEntropy(graph, counts, input('y', [rows], 'u32'));
    const rate = rowMeans(graph, spikeRates(graph, outputs.layers[0].spikes));
    train(formula(graph, 'error + 5 * max(0, rate - 0.1)', { error, rate }), optimizers);
    return { rate, counts };
  },
});
for (let step = 0; step < steps; step++) {
  const { x, y } = moons(rows, step);
  const { loss, norm, outputs } = await programs.step({ x, y }, { rate: 1 - step / steps });
  const isRight = (row) => outputs.counts[2 * row + y[row]] > outputs.counts[2 * row + 1 - y[row]];
  const accuracy = y.filter((_, row) => isRight(row)).length / rows;
  if (step % 40 === 39) console.log({ step, loss, norm, accuracy, rate: outputs.rate[0] });
}
model.values.set(await values());
