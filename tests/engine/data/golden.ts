import { readFileSync } from 'node:fs';

const folder = new URL('../../golden/data/', import.meta.url);

/** A file that an encoder of others wrote: tests/golden/data/make_golden.py says which. */
export function goldenFile(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, folder)));
}

/** What went into the files. */
export interface Expected {
  readonly npz: Readonly<Record<string, { readonly shape: number[]; readonly data: string[] }>>;
  readonly csv: readonly (readonly string[])[];
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
  new TextDecoder().decode(goldenFile('expected.json')),
) as Expected;
