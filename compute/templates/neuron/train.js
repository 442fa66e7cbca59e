import { readFile, writeFile } from 'node:fs/promises';
import { fitInFolder } from 'spikegrid/node';
import { rhythms } from './data.js';
import { train } from './network.js';

// Its metrics, models and report.html are in the folder run.
/** @type {typeof import('spikegrid').fit} */
const fitWith = (model, data, options) =>
  fitInFolder('run', model, data, { ...options, sample: rhythms(3, 3).x });

const { model, accuracy } = await train(await readFile('neuron.txt', 'utf8'), {
  fitWith,
  onReport: ({ step, loss }) => console.log(`step ${step}: loss ${loss.toFixed(3)}`),
});
console.log(`accuracy ${(100 * accuracy).toFixed(1)} %`);
await writeFile('model.safetensors', model.save());
model.close();
