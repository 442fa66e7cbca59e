import { expectCount } from '../checks.ts';
import type { Backend } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import { decodeMemory, encodeMemory, expectKey } from './associative-bytes.ts';
import {
  type Attractor,
  type AttractorSettings,
  type Code,
  type Cue,
  openAttractor,
  placesOf,
  strongest,
} from './attractor.ts';
import { type CodeTable, createCodeTable, type Recalled } from './code-table.ts';
import { EMBEDDING_SIZE } from './text-embedder.ts';

/** 16 MB of synapses, 2839 memories. */
export const defaultAttractor: AttractorSettings = { columns: 32, perColumn: 64 };

/**
 * An attractor network of sparse spikes (Willshaw et al. 1969, with one spike per column as in Potts
 * networks): memories are codes whose neurons excite each other, and a cue near one of them converges to it.
 * Calls may overlap; each is atomic.
 */
export interface AssociativeMemory {
  readonly size: number;
  readonly capacity: number;
  /**
   * Stores an embedding, replacing an earlier one of the same key. Throws EngineError `storage-full` at
   * capacity, `signal-invalid` for an embedding that is all zero, `shape-mismatch` for another length.
   */
  store(key: string, vector: Int8Array): Promise<void>;
  /** Removes a memory and the synapses that no other memory needs. Returns whether it existed. */
  remove(key: string): boolean;
  /**
   * The memories that overlap most with a cue and with the state to which it converges, the best first; none
   * if the cue is all zero. With 0 `steps` the network is skipped: a search among codes.
   */
  recall(cue: Int8Array, topK: number, steps?: number): Promise<Recalled[]>;
  /** Codes and keys, from which `restore` makes the same memory. */
  toBytes(): Uint8Array;
  /** `[source, target]`, for images and tests. */
  weights(): Promise<Float32Array>;
  close(): void;
}

/**
 * Number of memories at which half of the synapses between two columns are strong, where the capacity of
 * Willshaw networks peaks: each memory makes 1 of `perColumn^2` strong.
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

/**
 * Restores the memory that `toBytes` stored. Throws EngineError `checkpoint-damaged`, or `checkpoint-
 * mismatch` for another version.
 */
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
      if (isZero(vector)) throw noWords(key);
      const { code } = await attractor.cueOf(vector);
      const isNew = !remove(key);
      if (isNew && table.size >= capacity) throw full(capacity);
      table.set(key, code);
      attractor.learn(code);
    },
    remove,
    async recall(cue, topK, steps = MAX_STEPS) {
      expectCount('recall', 'topK', topK);
      if (isZero(cue) || table.size === 0) return [];
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

/** The weights after learning all codes. */
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

/** Whether an embedding is all zero. Throws EngineError `shape-mismatch` for another length. */
function isZero(vector: Int8Array): boolean {
  if (vector.length === EMBEDDING_SIZE) return vector.every((value) => value === 0);
  throw new EngineError(
    'shape-mismatch',
    `associative memory: an embedding of ${vector.length} numbers, expected ${EMBEDDING_SIZE}`,
  );
}

function noWords(key: string): EngineError {
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

/*
 * Evidence in nats, as in Bayesian networks of such columns (Lansner & Ekeberg 1989). A spike of a column
 * that is right with odds `ODDS` reaches a neuron of the memory with certainty, and another one with its
 * probability of being connected: log(1 + odds / chance). Errors of columns are correlated, so it counts
 * half.
 */
const ODDS = 2 / 3;
const INDEPENDENT = 0.5;
/** Evidence of one standard deviation of the cue, whose correlation with the memory is 0.6; it persists. */
const CUE_NATS = 2.4;
/** A state that has not converged by then alternates between several. */
const MAX_STEPS = 8;

/**
 * Evidence of a spike from another column for each neuron: the more memories it belongs to, the less.
 * Otherwise neurons that many memories share would win everywhere.
 */
function gainsOf(memories: readonly number[], perColumn: number): Float32Array {
  return Float32Array.from(memories, (count) => {
    const chance = 1 - Math.exp(-count / perColumn);
    return count === 0 ? 0 : INDEPENDENT * Math.log1p(ODDS / chance);
  });
}

interface SettleOptions {
  readonly settings: AttractorSettings;
  readonly gains: Float32Array;
  readonly steps: number;
}

/**
 * Lets the neuron with most evidence from the cue and the other columns fire in each column, until the state
 * is stable, or all active neurons support each other, as those of a memory do.
 */
async function settle(
  attractor: Attractor,
  cue: Cue,
  { settings, gains, steps }: SettleOptions,
): Promise<Code> {
  const { columns, perColumn } = settings;
  let { code } = cue;
  for (let step = 0; step < steps; step++) {
    // Each step depends on the previous one.
    // oxlint-disable-next-line no-await-in-loop
    const support = await attractor.support(code);
    if (code.every((neuron, c) => support[c * perColumn + neuron] === columns)) break;
    for (const [i, spikes] of support.entries()) {
      support[i] = (gains[i] ?? 0) * spikes + CUE_NATS * (cue.current[i] ?? 0);
    }
    const next = strongest(support, settings);
    if (next.every((neuron, column) => neuron === code[column])) break;
    code = next;
  }
  return code;
}
