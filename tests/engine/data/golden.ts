import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const folder = new URL('../../golden/data/', import.meta.url);

/** A file that an encoder of others wrote: tests/golden/data/make_golden.py says which. */
export function goldenFile(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, folder)));
}

/** Contents of the files before they were encoded. */
export interface Expected {
  readonly npz: Readonly<Record<string, { readonly shape: number[]; readonly data: string[] }>>;
  readonly csv: readonly (readonly string[])[];
  /** Means of the channels, -1 to 1. */
  readonly wav: Readonly<Record<string, readonly number[]>>;
  readonly hdf5: {
    readonly labels: number[];
    readonly times: number[][];
    readonly units: number[][];
  };
  readonly aedat4: {
    readonly start: number;
    readonly width: number;
    readonly height: number;
    readonly events: readonly (readonly [t: number, x: number, y: number, p: number])[];
  };
  readonly lz4: { readonly bytes: number; readonly sha256: string };
}

export const expected = JSON.parse(
  new TextDecoder().decode(gunzipSync(goldenFile('expected.json.gz'))),
) as Expected;
