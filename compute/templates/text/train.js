import { readFile } from 'node:fs/promises';
import { writeCheckpoint } from 'spikegrid/node';
import { train } from './model.js';

const model = await train(await readFile('text.txt', 'utf8'), {
  onReport: ({ step, loss }) =>
    console.log(`step ${step}: loss ${loss.toFixed(3)} nats a character`),
});
await writeCheckpoint('model', await model.files());
for await (const piece of model.write('Tiger', { tokens: 120 })) process.stdout.write(piece);
console.log();
model.close();
