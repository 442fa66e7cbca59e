import { writeFile } from 'node:fs/promises';
import { fitInFolder } from 'spikegrid/node';
import { recordings } from './data.js';
import { framesOf, train } from './network.js';

const [{ events }] = recordings(1, 3);
const sample = framesOf(events);
// Its metrics, models and report.html are in the folder run.
/** @type {typeof import('spikegrid').fit} */
const fitWith = (model, data, options) => fitInFolder('run', model, data, { ...options, sample });

const { model, accuracy } = await train({
  fitWith,
  onReport: ({ step, loss }) => console.log(`step ${step}: loss ${loss.toFixed(3)}`),
});
console.log(`accuracy ${(100 * accuracy).toFixed(1)} %`);
await writeFile('model.safetensors', model.save());
model.close();
