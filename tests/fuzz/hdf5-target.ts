import { encodeHdf5, decodeHdf5 } from '../../compute/nir/hdf5.ts';
import type { TreeEntry } from '../../engine/nir/graph.ts';
import { EngineError } from '../../engine/errors.ts';
import { publishedNetwork } from '../compute/nir-hdf5.ts';
import type { Target } from './target.ts';

/** Whether the library has aborted: its memory is no more to be relied on. */
let isSpent = false;

/** The file format of networks, which a library reads. */
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
  ],
  read: (bytes) =>
    decodeHdf5(bytes, 'case.nir').catch((error: unknown) => {
      isSpent ||= error instanceof Error && /^RuntimeError\b/.test(String(error.cause));
      throw error;
    }),
  isSpent: () => isSpent,
  isRefusal: (error) => error instanceof EngineError,
  isCutOff: true,
};
