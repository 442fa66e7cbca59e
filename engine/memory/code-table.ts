import { type AttractorSettings, type Code, placesOf } from './attractor.ts';

/** A memory and how much of its code another code shares, from 0 to 1. */
export interface Recalled {
  readonly key: string;
  readonly overlap: number;
}

/** The codes of the memories by their keys, and by the neurons that fire in them. */
export interface CodeTable {
  readonly size: number;
  get(key: string): Code | undefined;
  set(key: string, code: Code): void;
  /** Says whether there was one. */
  delete(key: string): boolean;
  entries(): IterableIterator<[string, Code]>;
  /** The places out of `places` of which no memory fires together with that at `place`. */
  strangersOf(place: number, places: readonly number[]): number[];
  /** Memories that share a neuron with `code`, most first; of equals those nearer to `cue`, then by key. */
  nearest(code: Code, cue: Code, count: number): Recalled[];
}

export function createCodeTable({ columns, perColumn }: AttractorSettings): CodeTable {
  const codes = new Map<string, Code>();
  const firing = Array.from({ length: columns * perColumn }, () => new Set<string>());
  const remove = (key: string) => {
    for (const place of placesOf(codes.get(key) ?? Uint8Array.of(), perColumn)) {
      firing[place]?.delete(key);
    }
    return codes.delete(key);
  };
  const overlapsWith = (code: Code) => {
    const shared = new Map<string, number>();
    for (const place of placesOf(code, perColumn)) {
      for (const key of firing[place] ?? []) shared.set(key, (shared.get(key) ?? 0) + 1);
    }
    return shared;
  };
  return {
    get size() {
      return codes.size;
    },
    get: (key) => codes.get(key),
    set(key, code) {
      remove(key);
      codes.set(key, code);
      for (const place of placesOf(code, perColumn)) firing[place]?.add(key);
    },
    delete: remove,
    entries: () => codes.entries(),
    strangersOf(place, places) {
      const known = new Set<number>();
      for (const key of firing[place] ?? []) {
        for (const other of placesOf(codes.get(key) ?? Uint8Array.of(), perColumn))
          known.add(other);
      }
      return places.filter((other) => !known.has(other));
    },
    nearest(code, cue, count) {
      const byCue = overlapsWith(cue);
      const cueOverlap = (key: string) => byCue.get(key) ?? 0;
      return Array.from(overlapsWith(code))
        .toSorted(([a, x], [b, y]) => y - x || cueOverlap(b) - cueOverlap(a) || Number(a > b) - 0.5)
        .slice(0, count)
        .map(([key, shared]) => ({ key, overlap: shared / columns }));
    },
  };
}
