import { type Key, keyOf, philox } from '../../random/philox.ts';
import type { Corpus } from './corpus.ts';
import type { TokenRange } from './corpus.ts';
import { type Batch, emptyBatch, rowFiller, spreadStarts, type WindowShape } from './windows.ts';

/** A batch whose rows continue those of the previous batch, except where they begin a text. */
export interface Chunk extends Batch {
  /** `u32[batch]`: 1 where a row begins a text. */
  readonly begins: Uint32Array;
}

/**
 * Rows that read a text in order, chunk by chunk. The chunks of a step depend on the seed and the step
 * alone.
 */
interface ChunkSampler {
  readonly stepsPerEpoch: number;
  /** Reads the text of a step; undefined if it is in memory, as for most steps. */
  load(step: number): Promise<void> | undefined;
  /** Draws other rows from the next step on; the text of that step has to be loaded again. */
  reseed(seed: number): void;
  /** The chunks of a step whose text was loaded, in arrays that the next one overwrites. */
  batch(step: number): Chunk;
}

/** Rows per step, and the number of such groups of rows that take turns. */
interface ChunkShape extends WindowShape {
  readonly groups: number;
}

/** Tokens of each row that are held in memory. */
const LOADED_TOKENS = 1 << 14;
const CHUNK_STREAM = 0x43484e4b;
const UNIT = 2 ** -32;

/**
 * Cuts the range into chunks and gives each row of all groups the same number of consecutive chunks; rows
 * start at equal distances. Steps cycle through the groups, so that neighbouring text is not neighbouring in
 * training. Each epoch draws where the first row starts and where chunks are cut.
 */
export function createChunkSampler(
  corpus: Corpus,
  { start, end }: TokenRange,
  { batch, sequence, groups }: ChunkShape,
  seed: number,
): ChunkSampler {
  const rows = batch * groups;
  // One sequence is left over, by up to which the cuts differ between epochs.
  const chunks = Math.max(1, Math.floor((end - start - 1) / sequence) - 1);
  /** Chunks that each row reads in an epoch. */
  const visits = Math.max(1, Math.floor(chunks / rows));
  const stepsPerEpoch = visits * groups;
  const slack = end - start - 1 - chunks * sequence;
  const loadedChunks = Math.max(1, Math.floor(LOADED_TOKENS / sequence));
  const blocks = Math.ceil(visits / loadedChunks);
  let key = keyOf(seed);
  let loaded: { readonly block: number; readonly texts: readonly Uint32Array[] } | undefined;
  const draw = createDraw({ batch, sequence });

  const firstChunk = (row: number, epoch: number) =>
    (Math.floor((row * chunks) / rows) + drawWhole(epoch, 0, chunks, key)) % chunks;
  const visitOf = (step: number) => Math.floor((step % stepsPerEpoch) / groups);
  const blockOf = (step: number) =>
    Math.floor(step / stepsPerEpoch) * blocks + Math.floor(visitOf(step) / loadedChunks);
  const readRow = (row: number, block: number) => {
    const epoch = Math.floor(block / blocks);
    const from = (block % blocks) * loadedChunks;
    return readChunks(corpus, {
      start: start + drawWhole(epoch, 1, slack + 1, key),
      chunks,
      sequence,
      first: (firstChunk(row, epoch) + from) % chunks,
      count: Math.min(loadedChunks, visits - from),
    });
  };
  const load = async (block: number) => {
    loaded = undefined;
    const texts = await Promise.all(Array.from({ length: rows }, (_, row) => readRow(row, block)));
    loaded = { block, texts };
  };
  return {
    stepsPerEpoch,
    load(step) {
      const block = blockOf(step);
      return loaded?.block === block ? undefined : load(block);
    },
    reseed(next) {
      key = keyOf(next);
      loaded = undefined;
    },
    batch(step) {
      if (loaded?.block !== blockOf(step))
        throw new Error(`the text of step ${step} is not loaded`);
      const epoch = Math.floor(step / stepsPerEpoch);
      const visit = visitOf(step);
      const first = (step % groups) * batch;
      const texts = loaded.texts.slice(first, first + batch);
      return draw(texts, visit % loadedChunks, (row) => {
        // The first chunk of the text follows the last.
        return visit === 0 || (firstChunk(first + row, epoch) + visit) % chunks === 0;
      });
    },
  };
}

interface ChunkRange {
  /** Where the first of all chunks begins. */
  readonly start: number;
  readonly chunks: number;
  readonly sequence: number;
  /** The first chunk to read, and the number of chunks; the first of all follows the last. */
  readonly first: number;
  readonly count: number;
}

/** Consecutive chunks, each with the token after its last one. */
async function readChunks(
  corpus: Corpus,
  { start, chunks, sequence, first, count }: ChunkRange,
): Promise<Uint32Array> {
  const before = Math.min(count, chunks - first);
  const [head, tail] = await Promise.all([
    corpus.read(start + first * sequence, start + (first + before) * sequence + 1),
    before < count
      ? corpus.read(start, start + (count - before) * sequence + 1)
      : new Uint32Array(0),
  ]);
  const tokens = new Uint32Array(count * (sequence + 1));
  for (let chunk = 0; chunk < count; chunk++) {
    const source = chunk < before ? head : tail;
    const at = (chunk < before ? chunk : chunk - before) * sequence;
    tokens.set(source.subarray(at, at + sequence + 1), chunk * (sequence + 1));
  }
  return tokens;
}

/** Copies the chunks of all rows into the same arrays: it is called for every step. */
function createDraw({ batch, sequence }: WindowShape) {
  const begins = new Uint32Array(batch);
  const drawn: Chunk = { ...emptyBatch({ batch, sequence }), begins };
  const fill = rowFiller(drawn, sequence);
  return (rows: readonly Uint32Array[], chunk: number, begin: (row: number) => boolean): Chunk => {
    for (const [row, tokens] of rows.entries()) {
      fill(row, tokens, chunk * (sequence + 1));
      begins[row] = Number(begin(row));
    }
    return drawn;
  };
}

/** A whole number from 0 to below `count` that depends on the epoch alone. */
function drawWhole(epoch: number, which: number, count: number, key: Key): number {
  const [word = 0] = philox([epoch, which, 0, CHUNK_STREAM], key);
  return Math.floor(word * UNIT * count);
}

/** Upper bound of the tokens of a stream, over all rows. */
const STREAM_TOKENS = 1 << 20;

/**
 * A range as the chunks of `batch` rows, each of which reads one contiguous part of it: the first row from its first
 * token on, the last one up to its last. Rows overlap a little where they would leave tokens out otherwise; of more than
 * 2^20 tokens they leave out equal parts. None where the range holds no chunk.
 */
export async function streamChunks(
  corpus: Corpus,
  range: TokenRange,
  { batch, sequence }: WindowShape,
): Promise<Chunk[]> {
  const tokens = range.end - range.start - 1;
  if (tokens < sequence) return [];
  const count = Math.min(
    Math.ceil(tokens / (batch * sequence)),
    Math.floor(tokens / sequence),
    Math.max(1, Math.floor(STREAM_TOKENS / (batch * sequence))),
  );
  const stretch = count * sequence;
  const rows = await Promise.all(
    spreadStarts(range, stretch, batch).map((start) => corpus.read(start, start + stretch + 1)),
  );
  return Array.from({ length: count }, (_, chunk) => {
    const begins = new Uint32Array(batch).fill(Number(chunk === 0));
    const filled: Chunk = { ...emptyBatch({ batch, sequence }), begins };
    const fill = rowFiller(filled, sequence);
    for (const [row, text] of rows.entries()) fill(row, text, chunk * sequence);
    return filled;
  });
}
