import { type AttractorSettings, type Code, placesOf } from './attractor.ts';

/** A memory with the mean fraction of its code in the cue and in the recalled state, from 0 to 1. */
export interface Recalled {
  readonly key: string;
  readonly overlap: number;
}

/** The codes of the memories by their keys, and the memories by the neurons that fire in them. */
export interface CodeTable {
  readonly size: number;
  get(key: string): Code | undefined;
  set(key: string, code: Code): void;
  /** Returns whether it existed. */
  delete(key: string): boolean;
  /** In the order in which they were set. */
  entries(): [key: string, code: Code][];
  /** How many memories each neuron belongs to, `[columns * perColumn]`. */
  memories(): number[];
  /** The neurons of `places` that no memory combines with that at `place`. */
  strangersOf(place: number, places: readonly number[]): number[];
  /**
   * The memories that share most neurons with a cue and with the state to which it converged; among equals
   * those nearer to the cue, then by key. A memory that equals the cue comes first: distances between codes
   * satisfy the triangle inequality.
   */
  nearest(cue: Code, rest: Code, count: number): Recalled[];
}

interface Entry {
  readonly key: string;
  readonly code: Code;
  /** Neurons shared with the cue, and with the cue and the state of rest; meant for one search. */
  ofCue: number;
  ofBoth: number;
}

export function createCodeTable({ columns, perColumn }: AttractorSettings): CodeTable {
  const entries = new Map<string, Entry>();
  const firing = Array.from({ length: columns * perColumn }, () => new Set<Entry>());
  const remove = (key: string) => {
    const entry = entries.get(key);
    if (!entry) return false;
    for (const place of placesOf(entry.code, perColumn)) firing[place]?.delete(entry);
    return entries.delete(key);
  };
  const firingIn = (code: Code) => placesOf(code, perColumn).map((place) => firing[place] ?? []);
  return {
    get size() {
      return entries.size;
    },
    get: (key) => entries.get(key)?.code,
    set(key, code) {
      remove(key);
      const entry = { key, code, ofCue: 0, ofBoth: 0 };
      entries.set(key, entry);
      for (const place of placesOf(code, perColumn)) firing[place]?.add(entry);
    },
    delete: remove,
    entries: () => Array.from(entries, ([key, { code }]) => [key, code]),
    memories: () => firing.map(({ size }) => size),
    strangersOf(place, places) {
      const known = new Set<number>();
      for (const { code } of firing[place] ?? []) {
        for (const other of placesOf(code, perColumn)) known.add(other);
      }
      return places.filter((other) => !known.has(other));
    },
    nearest(cue, rest, count) {
      for (const entry of entries.values()) entry.ofCue = entry.ofBoth = 0;
      for (const some of firingIn(cue)) {
        for (const entry of some) entry.ofBoth = ++entry.ofCue;
      }
      for (const some of firingIn(rest)) {
        for (const entry of some) entry.ofBoth++;
      }
      return topShared(entries.values(), count, 2 * columns)
        .toSorted((a, b) => b.ofBoth - a.ofBoth || b.ofCue - a.ofCue || (a.key > b.key ? 1 : -1))
        .slice(0, count)
        .map(({ key, ofBoth }) => ({ key, overlap: ofBoth / (2 * columns) }));
    },
  };
}

/** Candidates that include the best `count`, so that only few are sorted; none that share nothing. */
function topShared(entries: Iterable<Entry>, count: number, max: number): Entry[] {
  const byOverlap = Array.from({ length: max + 1 }, (): Entry[] => []);
  for (const entry of entries) byOverlap[entry.ofBoth]?.push(entry);
  const chosen: Entry[] = [];
  for (let overlap = max; overlap > 0 && chosen.length < count; overlap--) {
    chosen.push(...(byOverlap[overlap] ?? []));
  }
  return chosen;
}
