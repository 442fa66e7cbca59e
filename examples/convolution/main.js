import { adamW, averagePool, conv2d, cosineRate, crossEntropy, dropout, fit } from 'spikegrid';
import { flatten, init, linear, plif, sequential } from 'spikegrid';
import { shiftImage, transformImages } from 'spikegrid/data';
import { pictures } from './pictures.js';

const image = { channels: 1, height: 28, width: 28 };
const { train, test, epochs } = await pictures(process.argv[2]);
const layers = [
  [conv2d(16, 5, { stride: 2, padding: 2 }), plif({ beta: 0.5, threshold: 0.3 }), averagePool(2)],
  [conv2d(32, 3, { padding: 1 }), plif({ beta: 0.5, threshold: 0.3 }), averagePool(2), flatten()],
  [dropout(0.2), linear(10)],
].flat();
const model = await init(sequential(layers, { input: [1, 28, 28], steps: 4 }), { device: 'wasm' });
const { epochs: reports } = await fit(model, transformImages(train, image, [shiftImage(2)]), {
  loss: crossEntropy({ on: 'values' }),
  optimizer: adamW(1e-2, { weightDecay: 0.01 }),
  schedule: cosineRate({ warmup: 0.05 }),
  epochs,
  batchSize: 32,
  validation: test,
  onReport: ({ step, loss }) => console.log(`step ${step}: loss ${loss.toFixed(3)}`),
});
console.log(`accuracy ${(100 * reports.at(-1).validation.accuracy).toFixed(1)} %`);
