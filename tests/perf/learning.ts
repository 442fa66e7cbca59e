import { existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Backend,
  blobSource,
  createTrainingRun,
  openBackend,
  openCorpus,
  stableBaseline,
  type TrainingControls,
  type TrainingSettings,
} from '../../engine/index.ts';
import { type MemoryUse, note, report } from './report.ts';
import { isWanted, minutesAskedFor } from './wanted.ts';

/**
 * Bars 10 and 11: validation loss of dense_chronospike on tinyshakespeare after so many minutes of
 * training on WASM, nats a character on 256 windows of the last tenth, each without context. Bar 11
 * takes half an hour and is measured only on request; what its process held after two minutes
 * and at the end tells whether training makes it grow. `--minutes 3` runs it for less, to try it out.
 */
const THREADS = 2;
/** Steps between two notes. */
const STRIDE = 250;
/** By now everything is compiled and in memory. */
const SETTLED_SECONDS = 120;
const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));
const text = join(process.env['SPIKEGRID_DATA'] ?? shared, 'text/tinyshakespeare.txt');

/** Few sequences a step: docs/decisions/0010 has the curve. */
const small = { width: 128, heads: 4, blocks: 4, sequence: 64, batch: 4, seed: 1 };
const shortRun: TrainingControls = { ...stableBaseline, beta2: 0.99 };
const longer = { width: 160, heads: 5, blocks: 4, sequence: 128, batch: 8, seed: 1 };

interface Trial {
  readonly bar: number;
  readonly target: number;
  readonly settings: TrainingSettings;
  readonly controls: TrainingControls;
}

const minutes = (count: number) => ({ kind: 'minutes', minutes: count }) as const;
const trials: readonly Trial[] = [
  {
    bar: 10,
    target: 1.62,
    settings: { ...small, steps: 2, learningRate: 6e-3, budget: minutes(3) },
    controls: shortRun,
  },
  {
    bar: 10,
    target: 1.65,
    settings: { ...small, steps: 4, learningRate: 6e-3, budget: minutes(3) },
    controls: shortRun,
  },
  {
    bar: 11,
    target: 1.47,
    settings: { ...longer, steps: 2, learningRate: 6e-3, budget: minutes(minutesAskedFor ?? 30) },
    controls: stableBaseline,
  },
];

const isAskedFor = process.argv.includes('--only');
if (!existsSync(text)) note(`bar 10: SKIPPED, there is no ${text}: set SPIKEGRID_DATA`);
else {
  const backend = await openBackend('wasm', { gpu: undefined, threads: THREADS });
  for (const trial of trials) {
    if (isWanted(trial.bar) && (trial.bar !== 11 || isAskedFor)) await measure(backend, trial);
  }
}
// The threads would keep the process.
process.exit(0);

async function measure(
  backend: Backend,
  { bar, target, settings, controls }: Trial,
): Promise<void> {
  const corpus = await openCorpus(blobSource(await openAsBlob(text), text));
  const run = await createTrainingRun({ backend, corpus, settings, controls });
  const started = performance.now();
  let early: MemoryUse | undefined;
  while (run.progress() < 1) {
    const { tokensPerSecond } = await run.advance(STRIDE);
    const seconds = (performance.now() - started) / 1000;
    if (seconds >= SETTLED_SECONDS) early ??= memoryUse(seconds);
    const share = (100 * run.progress()).toFixed(0);
    note(`bar ${bar}: step ${run.step()}, ${share} %, ${tokensPerSecond.toFixed(0)} characters/s`);
  }
  const end = memoryUse((performance.now() - started) / 1000);
  const { loss } = await run.validate();
  const { steps, budget } = settings;
  run.close();
  for (const use of early ? [early, end] : []) noteMemory(bar, use);
  report({
    bar,
    name: `tinyshakespeare, T ${steps}, ${budget.kind === 'minutes' ? budget.minutes : 0} minutes, WASM, ${THREADS} threads`,
    value: loss,
    unit: 'nats a character',
    target,
    better: 'lower',
    ...(early && { memory: { early, end } }),
  });
}

function memoryUse(seconds: number): MemoryUse {
  const { rss, heapUsed } = process.memoryUsage();
  return { seconds, residentBytes: rss, heapBytes: heapUsed };
}

function noteMemory(bar: number, { seconds, residentBytes, heapBytes }: MemoryUse): void {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  note(
    `bar ${bar}: after ${seconds.toFixed(0)} s ${megabytes(residentBytes)} resident, ` +
      `${megabytes(heapBytes)} of them on the heap`,
  );
}
