import { trainText } from 'spikegrid/models';

const text = 'To be, or not to be, that is the question. '.repeat(60);
const model = await trainText(text, {
  family: 'dense_chronospike',
  preset: 'tiny',
  steps: 60,
  onReport: ({ step, loss }) => console.log(`step ${step}: ${loss.toFixed(2)} nats a character`),
});
for await (const piece of model.write('To be', { tokens: 80 })) console.log(JSON.stringify(piece));
model.close();
