import { PerformanceObserver } from 'node:perf_hooks';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { presets } from '../../engine/models/dense-chronospike/settings.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { type PresetName } from '../../engine/settings/recipes.ts';
import { createTrainingRun } from '../../engine/models/dense-chronospike/training.ts';
import { openNovel } from './novel.ts';

/**
 * Trains a preset with T 2 on two threads and prints what JavaScript allocated meanwhile on the thread
 * that trains. With a young generation so large the collector has no cause to give anything back:
 *
 *   node --expose-gc --min-semi-space-size=64 --max-semi-space-size=64 \
 *     tests/engine/training-garbage-process.ts small
 */
export interface GarbageReport {
  readonly steps: number;
  /** Times that the collector ran meanwhile; what it freed would be missing below. */
  readonly collections: number;
  readonly heapBytes: number;
  /** Of typed arrays that lie outside the heap. */
  readonly bufferBytes: number;
}

/** Until the compilers are done with everything that a step runs. */
const WARM_UP_STEPS = 640;
const STEPS = 640;

const [preset = 'tiny'] = process.argv.slice(2) as PresetName[];
const budget = { kind: 'minutes', minutes: 60 } as const;
const settings = { ...presets[preset], steps: 2, learningRate: 1e-3, seed: 1, budget };
const backend = await openWasmBackend({ threads: 2, sharedFrom: 0 });
const run = await createTrainingRun({
  backend,
  corpus: await openNovel(),
  settings,
  controls: stableBaseline,
});
await run.advance(WARM_UP_STEPS);
// The second waits until the buffers that the first let go are given back.
for (let i = 0; i < 2; i++) globalThis.gc?.();

let collections = 0;
const observer = new PerformanceObserver((list) => {
  collections += list.getEntries().length;
});
observer.observe({ entryTypes: ['gc'] });
const before = process.memoryUsage();
await run.advance(STEPS);
const after = process.memoryUsage();
collections += observer.takeRecords().length;
const report: GarbageReport = {
  steps: STEPS,
  collections,
  heapBytes: after.heapUsed - before.heapUsed,
  bufferBytes: after.arrayBuffers - before.arrayBuffers,
};
process.stdout.write(JSON.stringify(report));
// The threads would keep the process.
process.exit(0);
