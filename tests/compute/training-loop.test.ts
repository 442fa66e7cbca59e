import { expect, it } from 'vitest';
import {
  blobSource,
  createTrainingRun,
  openBackend,
  openCorpus,
  presets,
  stableBaseline,
} from '../../engine/index.ts';
import { trainToEnd } from '../../trainer/training-loop.ts';

it('evaluates a run that another trainer finished before it disappeared', async () => {
  const backend = await openBackend('wasm', { gpu: undefined, threads: 1 });
  const corpus = await openCorpus(blobSource(new Blob(['a text to learn. '.repeat(200)]), 'text'));
  const settings = { ...presets.tiny, seed: 1, budget: { kind: 'steps', steps: 2 } } as const;
  const run = await createTrainingRun({ backend, corpus, settings, controls: stableBaseline });
  await run.advance(2);
  const losses: number[] = [];

  const outcome = await trainToEnd({
    run,
    validateEvery: 2,
    checkpointEvery: 2,
    requestedEnd: () => undefined,
    advanced: async () => expect.unreachable('it has nothing left to train'),
    validated: async ({ loss }) => void losses.push(loss),
    checkpoint: async () => expect.unreachable('it has its checkpoint'),
  });

  expect(outcome).toBe('finished');
  expect(losses).toEqual([(await run.validate()).loss]);
  run.close();
  backend.close();
});
