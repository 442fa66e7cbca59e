import { writeFile } from 'node:fs/promises';
import { train } from './network.js';

const { model, accuracy } = await train({
  onReport: ({ step, loss }) => console.log(`step ${step}: loss ${loss.toFixed(3)}`),
});
console.log(`accuracy ${(100 * accuracy).toFixed(1)} %`);
await writeFile('model.safetensors', model.save());
model.close();
