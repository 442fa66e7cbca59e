import type { Backend } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import { expectWhole } from '../ops/shapes.ts';
import { decodeMemory, encodeMemory, expectKey } from './associative-bytes.ts';
import {
  type Attractor,
  type AttractorSettings,
  type Code,
  openAttractor,
  placesOf,
} from './attractor.ts';
import { type CodeTable, createCodeTable, type Recalled } from './code-table.ts';
import { gainsOf, MOST_STEPS, settle } from './settle.ts';
import { EMBEDDING_SIZE } from './text-embedder.ts';

/** 16 MB of synapses, 2839 memories. */
export const defaultAttractor: AttractorSettings = { columns: 32, perColumn: 64 };

/**
 * An attractor network of sparse spikes (Willshaw et al. 1969, with one spike a column as in Potts networks):
 * memories are codes whose neurons excite each other, and a cue that is like one of them falls into it. Calls
 * may overlap; each takes effect as a whole.
 */
export interface AssociativeMemory {
  readonly size: number;
  readonly capacity: number;
  /**
   * Stores an embedding, in the place of an earlier one of the same key. Throws EngineError `storage-full` at
   * capacity, `signal-invalid` for an embedding that is all zero, `shape-mismatch` for another length.
   */
  store(key: string, vector: Int8Array): Promise<void>;
  /** Forgets: no synapse is left that another memory does not need. Says whether there was one. */
  remove(key: string): boolean;
  /**
   * The memories that share most with a cue and with the state in which it comes to rest, the best first; none
   * where the cue is all zero. With 0 `steps` the cue stays what it is: a search among codes, without the network.
   */
  recall(cue: Int8Array, topK: number, steps?: number): Promise<Recalled[]>;
  /** Codes and keys, from which `restore` makes the same memory. */
  toBytes(): Uint8Array;
  /** `[source, target]`, for pictures and tests. */
  weights(): Promise<Float32Array>;
  close(): void;
}

/**
 * Memories after which half of the synapses between two columns are strong, where Willshaw networks hold the
 * most: each memory makes 1 of `perColumn^2` strong.
 */
export function capacityOf({ perColumn }: AttractorSettings): number {
  return Math.floor(Math.LN2 * perColumn ** 2);
}

/** An empty memory. Throws EngineError `invalid-setting` for sizes that cannot be. */
export async function openAssociativeMemory(
  backend: Backend,
  settings: AttractorSettings = defaultAttractor,
): Promise<AssociativeMemory> {
  return createMemory(settings, await openAttractor(backend, settings), createCodeTable(settings));
}

/** What `toBytes` gave. Throws EngineError `checkpoint-damaged`, or `checkpoint-mismatch` for another version. */
export async function restoreAssociativeMemory(
  backend: Backend,
  bytes: Uint8Array,
): Promise<AssociativeMemory> {
  const { settings, codes } = decodeMemory(bytes);
  const table = createCodeTable(settings);
  for (const [key, code] of codes) table.set(key, code);
  const attractor = await openAttractor(backend, settings);
  attractor.setWeights(weightsOf(settings, codes.values()));
  return createMemory(settings, attractor, table);
}

function createMemory(
  settings: AttractorSettings,
  attractor: Attractor,
  table: CodeTable,
): AssociativeMemory {
  const { perColumn } = settings;
  const capacity = capacityOf(settings);
  // Until the next change.
  let gains: Float32Array | undefined;
  const remove = (key: string) => {
    gains = undefined;
    const places = placesOf(table.get(key) ?? Uint8Array.of(), perColumn);
    const existed = table.delete(key);
    for (const place of places) {
      const targets = table.strangersOf(place, places);
      if (targets.length > 0) attractor.weaken(place, targets);
    }
    return existed;
  };
  return {
    get size() {
      return table.size;
    },
    capacity,
    async store(key, vector) {
      expectKey(key);
      if (isSilent(vector)) throw silent(key);
      const { code } = await attractor.cueOf(vector);
      const isNew = !remove(key);
      if (isNew && table.size >= capacity) throw full(capacity);
      table.set(key, code);
      attractor.learn(code);
    },
    remove,
    async recall(cue, topK, steps = MOST_STEPS) {
      expectWhole('recall', 'topK', topK, 1);
      if (isSilent(cue) || table.size === 0) return [];
      const driven = await attractor.cueOf(cue);
      gains ??= gainsOf(table.memories(), perColumn);
      const rest = await settle(attractor, driven, { settings, gains, steps });
      return table.nearest(driven.code, rest, topK);
    },
    toBytes: () => encodeMemory({ settings, codes: new Map(table.entries()) }),
    weights: attractor.weights,
    close: attractor.close,
  };
}

/** What learning the codes one after the other comes to. */
function weightsOf({ columns, perColumn }: AttractorSettings, codes: Iterable<Code>): Float32Array {
  const neurons = columns * perColumn;
  const weights = new Float32Array(neurons ** 2);
  for (const code of codes) {
    const places = placesOf(code, perColumn);
    for (const source of places) {
      for (const target of places) weights[source * neurons + target] = 1;
    }
  }
  return weights;
}

/** Whether an embedding says nothing. Throws EngineError `shape-mismatch` for another length. */
function isSilent(vector: Int8Array): boolean {
  if (vector.length === EMBEDDING_SIZE) return vector.every((value) => value === 0);
  throw new EngineError(
    'shape-mismatch',
    `associative memory: an embedding of ${vector.length} numbers, expected ${EMBEDDING_SIZE}`,
  );
}

function silent(key: string): EngineError {
  return new EngineError(
    'signal-invalid',
    `associative memory: the embedding of ${key} is all zero: expected that of a text with a word`,
  );
}

function full(capacity: number): EngineError {
  return new EngineError(
    'storage-full',
    `associative memory: it holds ${capacity} memories, as many as it can recall: remove one, or open a larger one`,
  );
}
