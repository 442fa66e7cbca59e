import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { GarbageReport } from './training-garbage-process.ts';

const run = promisify(execFile);

/**
 * The allocation of a step does not depend on the size of the model. The small preset with T 2 takes some
 * 700 steps a minute on two cores; the bound keeps it below 1 MB a minute up to 1000.
 */
const MAX_BYTES_PER_STEP = 1e6 / 1000;

describe('steady training', () => {
  it('makes less than 1 MB of garbage a minute, on the heap and beside it', async () => {
    const { steps, collections, heapBytes, bufferBytes } = await measure('tiny');

    expect(collections).toBe(0);
    // Something is measured: the losses that are handed out alone are 8 bytes a step.
    expect(heapBytes + bufferBytes).toBeGreaterThan(8 * steps);
    expect((heapBytes + bufferBytes) / steps).toBeLessThan(MAX_BYTES_PER_STEP);
  });
});

/** A process of its own: the collector would count for all tests of this one. */
async function measure(preset: string): Promise<GarbageReport> {
  const program = fileURLToPath(new URL('training-garbage-process.ts', import.meta.url));
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
  const { stdout } = await run(process.execPath, [...flags, program, preset]);
  return JSON.parse(stdout) as GarbageReport;
}
