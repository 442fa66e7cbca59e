import { type Key, keyOf, philox, scramble } from '../../random/philox.ts';
import { shuffle } from '../../random/shuffle.ts';
import { EngineError } from '../../errors.ts';
import type { Corpus } from './corpus.ts';
import type { TokenRange } from './corpus.ts';
import { type Tokens, unitOf, wordsFor } from '../tokenizers/tokenizer.ts';

/** Token ids and the tokens that follow them, `u32[batch * sequence]` each. */
export interface Batch {
  readonly ids: Uint32Array;
  readonly targets: Uint32Array;
}

export interface WindowShape {
  readonly batch: number;
  readonly sequence: number;
}

export function emptyBatch({ batch, sequence }: WindowShape): Batch {
  const size = batch * sequence;
  return { ids: new Uint32Array(size), targets: new Uint32Array(size) };
}

/**
 * Fills a row of a batch with the `sequence` tokens from index `at` on, and with those that follow each of them. It is
 * called for every row of every step, so it allocates nothing.
 */
export const rowFiller =
  ({ ids, targets }: Batch, sequence: number) =>
  (row: number, tokens: Tokens, at: number): void => {
    const first = row * sequence;
    for (let i = 0; i < sequence; i++) {
      ids[first + i] = tokens[at + i] ?? 0;
      targets[first + i] = tokens[at + i + 1] ?? 0;
    }
  };

/** Random windows of a text. Which ones a step sees depends on the seed and the step alone. */
export interface WindowSampler {
  readonly stepsPerEpoch: number;
  /** Reads the text that the windows of a step lie in; undefined if it is in memory, as for most steps. */
  load(step: number): Promise<void> | undefined;
  /** Draws other windows from the next step on; the text of that step has to be loaded again. */
  reseed(seed: number): void;
  /** The windows of a step whose text was loaded, in arrays that the next batch overwrites. */
  batch(step: number): Batch;
}

/** Window starts per segment; the windows of a step come from one group of segments in memory. */
const SEGMENT_TOKENS = 1 << 20;
const MAX_SEGMENTS_PER_GROUP = 8;
const WINDOW_STREAM = 0x57494e44;
const ORDER_STREAM = 0x4f524452;

/**
 * Samples windows uniformly from groups of segments. A text of up to 8 million tokens is one group; a larger
 * one is visited group by group, in an order drawn for each epoch, so that memory stays bounded.
 */
export function createWindowSampler(
  corpus: Corpus,
  range: TokenRange,
  { batch, sequence }: WindowShape,
  seed: number,
): WindowSampler {
  let key = keyOf(seed);
  if (range.end - range.start <= sequence) throw tooShort(corpus, range, sequence);
  const segments = cutSegments(range, sequence);
  const groupCount = Math.ceil(segments.length / MAX_SEGMENTS_PER_GROUP);
  const stepsPerGroup = Math.max(
    1,
    Math.ceil((range.end - range.start) / groupCount / (batch * sequence)),
  );
  const stepsPerEpoch = stepsPerGroup * groupCount;
  const resident = createResidentSegments(corpus);
  const edge = (i: number) => Math.floor((i * segments.length) / groupCount);
  const draw = createDraw({ batch, sequence });
  /** The group in memory, which most steps share with the step before. */
  let loaded: { readonly index: number; readonly group: Group } | undefined;
  const groupAt = (step: number) =>
    Math.floor(step / stepsPerEpoch) * groupCount +
    Math.floor((step % stepsPerEpoch) / stepsPerGroup);
  const load = async (index: number) => {
    const order = shuffled(segments, Math.floor(index / groupCount), key);
    const group = index % groupCount;
    loaded = undefined;
    const tokens = await resident.load(order.slice(edge(group), edge(group + 1)));
    loaded = { index, group: groupOf(tokens, sequence) };
  };
  return {
    stepsPerEpoch,
    load(step) {
      const index = groupAt(step);
      return loaded?.index === index ? undefined : load(index);
    },
    reseed(next) {
      key = keyOf(next);
      loaded = undefined;
    },
    batch(step) {
      if (loaded?.index !== groupAt(step))
        throw new Error(`the text of step ${step} is not loaded`);
      return draw(loaded.group, step, key);
    },
  };
}

/**
 * Segments with the same number of window starts, except that the last takes the rest. Each extends into the
 * next by a sequence, so that every window of the range lies in one of them.
 */
function cutSegments({ start, end }: TokenRange, sequence: number): TokenRange[] {
  const count = Math.max(1, Math.floor((end - start) / SEGMENT_TOKENS));
  return Array.from({ length: count }, (_, i) => ({
    start: start + i * SEGMENT_TOKENS,
    end: i === count - 1 ? end : start + (i + 1) * SEGMENT_TOKENS + sequence,
  }));
}

function tooShort(
  { name, tokenizer }: Corpus,
  { start, end }: TokenRange,
  sequence: number,
): EngineError {
  return new EngineError(
    'text-too-short',
    `${name}: ${end - start} ${unitOf(tokenizer)} hold no window of ${sequence} and the one after it`,
  );
}

/** Caches the tokens of the segments loaded last. */
function createResidentSegments(corpus: Corpus) {
  let loaded = new Map<TokenRange, Tokens | undefined>();
  return {
    async load(segments: readonly TokenRange[]): Promise<Tokens[]> {
      // Segments are dropped before their successors are read, one at a time: memory never holds more
      // than one group and the decoding of one segment.
      loaded = new Map(segments.map((segment) => [segment, loaded.get(segment)]));
      const loading = loaded;
      for (const [segment, tokens] of loading) {
        loading.set(segment, tokens ?? (await readNarrow(corpus, segment)));
      }
      return [...loading.values()].filter((tokens) => tokens !== undefined);
    },
  };
}

/** Reads a stretch into the narrowest words that hold its ids. */
async function readNarrow(corpus: Corpus, { start, end }: TokenRange): Promise<Tokens> {
  const tokens = await corpus.read(start, end);
  const Words = wordsFor(corpus.tokenizer);
  return tokens instanceof Words ? tokens : new Words(tokens);
}

/** Segments in memory, with the number of window starts of each. */
interface Group {
  readonly segments: readonly Tokens[];
  readonly places: readonly number[];
  readonly total: number;
}

function groupOf(segments: readonly Tokens[], sequence: number): Group {
  const places = segments.map((tokens) => tokens.length - sequence);
  return { segments, places, total: places.reduce((a, b) => a + b, 0) };
}

/** Draws batches into the same two arrays: it is called for every step. */
function createDraw({ batch, sequence }: WindowShape) {
  const drawn = emptyBatch({ batch, sequence });
  const fill = rowFiller(drawn, sequence);
  const words = new Uint32Array(4);
  return ({ segments, places, total }: Group, step: number, key: Key): Batch => {
    for (let row = 0; row < batch; row++) {
      words[0] = row;
      words[1] = step;
      words[2] = 0;
      words[3] = WINDOW_STREAM;
      scramble(words, key);
      let place = Math.floor(unit(words) * total);
      let segment = 0;
      while (place >= (places[segment] ?? 0)) place -= places[segment++] ?? 0;
      // The start lies in one of the segments, followed by a sequence and one more token.
      const tokens = segments[segment] as Tokens;
      fill(row, tokens, place);
    }
    return drawn;
  };
}

/** The items in an order that depends on the key and the epoch alone. */
function shuffled<T>(items: readonly T[], epoch: number, key: Key): T[] {
  const order = [...items];
  shuffle(order, (last) =>
    Math.floor(unit(philox([last, epoch, 0, ORDER_STREAM], key)) * (last + 1)),
  );
  return order;
}

/** Uniform in [0, 1) from 53 random bits. */
function unit(words: Uint32Array): number {
  const high = words[0] as number;
  const low = words[1] as number;
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53;
}

/**
 * How many windows `spreadWindows` reads of a range, in whole batches where `limit` has room for one: as many as leave no
 * token out, or as the limit allows. 0 where the range holds no window.
 */
export function countWindows(
  { start, end }: TokenRange,
  { batch, sequence }: WindowShape,
  limit: number,
): number {
  const tokens = end - start - 1;
  if (tokens < sequence) return 0;
  const whole = Math.ceil(tokens / (sequence * batch));
  return Math.min(limit, batch * Math.min(whole, Math.max(1, Math.floor(limit / batch))));
}

/**
 * Windows spread evenly over a range from its first token to its last, each without context: at most `limit`, in
 * batches of exactly `batch`. They overlap only where they would leave tokens of a short range out otherwise. A limit
 * below one batch is reached by repetition. Throws EngineError `text-too-short` for a range without a window.
 */
export async function spreadWindows(
  corpus: Corpus,
  range: TokenRange,
  { batch, sequence }: WindowShape,
  limit: number,
): Promise<Batch[]> {
  const count = countWindows(range, { batch, sequence }, limit);
  if (count === 0) throw tooShort(corpus, range, sequence);
  const starts = spreadStarts(range, sequence, count);
  const windows = await Promise.all(
    starts.map((start) => corpus.read(start, start + sequence + 1)),
  );
  return Array.from({ length: Math.ceil(count / batch) }, (_, i) => {
    const filled = emptyBatch({ batch, sequence });
    const fill = rowFiller(filled, sequence);
    for (let row = 0; row < batch; row++) {
      const window = windows[(i * batch + row) % count];
      if (window) fill(row, window, 0);
    }
    return filled;
  });
}

/**
 * Where `count` stretches of `length` tokens begin at equal distances, so that the first one predicts the second token of
 * a range and the last one its last; one alone begins with the range.
 */
export function spreadStarts(
  { start, end }: TokenRange,
  length: number,
  count: number,
): readonly number[] {
  const last = end - 1 - length - start;
  return Array.from({ length: count }, (_, i) =>
    count === 1 ? start : start + Math.floor((i * last) / (count - 1)),
  );
}
