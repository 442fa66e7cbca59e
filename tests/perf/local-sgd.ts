import { existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  blobSource,
  createTrainingRun,
  openBackend,
  openCorpus,
  presets,
  stableBaseline,
  type TrainingSettings,
} from '../../engine/index.ts';
import { trainTogether } from '../engine/members.ts';
import { note } from './report.ts';

/**
 * Trains the tiny preset on tinyshakespeare, once by one trainer and then by several together for as
 * many tokens in all, and compares the validation losses (issue 5: within 3 %). Members run one after
 * another in this process on one thread, with the same digits on every machine:
 *
 *   node tests/perf/local-sgd.ts --steps 18000 --local-steps 50 --outer 0.7,0.9 --outer 1,0.5
 */
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '6000' },
    members: { type: 'string', default: '3' },
    'local-steps': { type: 'string', default: '50' },
    /** Learning rate and momentum of the outer step, which may be given several times. */
    outer: { type: 'string', multiple: true, default: ['0.7,0.9'] },
    /** Deltas travel in float32. */
    exact: { type: 'boolean', default: false },
  },
});

const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const text = join(process.env['SPIKEGRID_DATA'] ?? shared, 'text/tinyshakespeare.txt');
if (!existsSync(text)) {
  note(`SKIPPED, there is no ${text}: set SPIKEGRID_DATA`);
  process.exit(0);
}
const settings: TrainingSettings = {
  ...presets.tiny,
  seed: 1,
  budget: { kind: 'steps', steps: Number(values.steps) },
};
const backend = await openBackend('wasm', { gpu: undefined, threads: 1, deterministic: true });
const corpus = await openCorpus(blobSource(await openAsBlob(text), text));
const start = () => createTrainingRun({ backend, corpus, settings, controls: stableBaseline });

const alone = await start();
await alone.advance(Number(values.steps));
const { loss: expected } = await alone.validate();
alone.close();
console.log(`one trainer, ${values.steps} steps: ${expected.toFixed(4)} nats a character`);
for (const outer of values.outer) await compare(outer);
process.exit(0);

async function compare(outer: string): Promise<void> {
  const [learningRate = Number.NaN, momentum = Number.NaN] = outer.split(',').map(Number);
  const members = await Promise.all(Array.from({ length: Number(values.members) }, start));
  const localSteps = Number(values['local-steps']);
  const options = { localSteps, learningRate, momentum, quantised: !values.exact };
  const { outer: end, bytesPerRound } = await trainTogether(members, options);
  const { loss } = await members[0]!.validate();
  for (const run of members) run.close();
  console.log(
    `${values.members} trainers, ${end.round} rounds of ${localSteps} steps, outer ${outer}: ` +
      `${loss.toFixed(4)} (${(100 * (loss / expected - 1)).toFixed(2)} %), ` +
      `${bytesPerRound} bytes a member and round, ${end.parameters.byteLength} in float32`,
  );
}
