import { encodeHdf5, decodeHdf5 } from '../../compute/nir/hdf5.ts';
import { spikeRecordings } from '../../engine/data/hdf5/spike-recordings.ts';
import type { TreeEntry } from '../../engine/nir/graph.ts';
import { EngineError } from '../../engine/errors.ts';
import { publishedNetwork } from '../compute/nir-hdf5.ts';
import { goldenFile } from '../engine/data/golden.ts';
import type { Target } from './target.ts';

/** Whether the library has aborted: its memory is no more to be relied on. */
let isSpent = false;

const isRefusal = (error: unknown) => error instanceof EngineError;

async function readRecordings(bytes: Uint8Array): Promise<void> {
  for await (const { events } of spikeRecordings('case.h5', bytes)) void events;
}

/** Both readers of a case, as a file that keeps the library busy costs seconds: one of them has to read it. */
async function readBoth(bytes: Uint8Array): Promise<void> {
  const refusals: unknown[] = [];
  for (const read of [decodeHdf5, readRecordings]) {
    try {
      await read(bytes, 'case.nir');
    } catch (error) {
      isSpent ||= error instanceof Error && /^RuntimeError\b/.test(String(error.cause));
      if (!isRefusal(error)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length === 2) throw refusals[0];
}

/** The file format of networks and of recordings, which a library reads. */
export const hdf5Target: Target = {
  name: 'HDF5',
  seeds: async () => [
    await publishedNetwork(),
    await encodeHdf5(
      new Map<string, TreeEntry>([
        ['version', { shape: [], texts: ['1.0'] }],
        ['group', new Map([['x', { shape: [2, 3], data: Float32Array.of(1, 2, 3, 4, 5, 6) }]])],
      ]),
    ),
    goldenFile('few.h5'),
  ],
  read: readBoth,
  isSpent: () => isSpent,
  isRefusal,
  isCutOff: true,
};
