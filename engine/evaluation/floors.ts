import type { Corpus } from '../data/corpus/corpus.ts';
import type { TokenRange } from '../data/corpus/corpus.ts';
import type { Batch } from '../data/corpus/windows.ts';

const FLOOR_NAMES = ['uniform', 'unigram', 'bigram', 'trigram', 'majority'] as const;
type FloorName = (typeof FLOOR_NAMES)[number];

/** A baseline on the validation data: lower is better for a loss, higher for an accuracy. */
export interface Floor {
  readonly name: FloorName;
  readonly figure: 'loss' | 'accuracy';
  /** Nats a token, or a share. */
  readonly value: number;
}

/** How a model did against the highest of its floors. */
export interface Verdict {
  readonly floor: Floor;
  readonly reached: number;
  readonly isBeaten: boolean;
}

/** Figures of a validation. */
interface ValidatedModel {
  readonly loss: number;
  readonly figures?: Readonly<Record<string, number>>;
}

/** Compares a validated model with the best of its floors; undefined where the family has none. */
export function verdictOf(
  { loss, figures = {} }: ValidatedModel,
  floors: readonly Floor[],
): Verdict | undefined {
  const floor = floors.at(-1);
  if (!floor) return undefined;
  const reached = floor.figure === 'loss' ? loss : (figures['accuracy'] ?? Number.NaN);
  const isBeaten = floor.figure === 'loss' ? reached < floor.value : reached > floor.value;
  return { floor, reached, isBeaten };
}

const NAMES: readonly FloorName[] = ['unigram', 'bigram', 'trigram'];

/** Cost of the n-grams of some sequences on others, in nats per token; the first token of each is never predicted. */
export function sequenceFloors(
  vocabulary: number,
  order: number,
  { counted, asked }: Record<'counted' | 'asked', Iterable<Uint32Array>>,
): Floor[] {
  const counts = createNgramCounts(vocabulary, order);
  for (const sequence of counted) counts.add(sequence);
  const nats = new Float64Array(order);
  let tokens = 0;
  for (const sequence of asked) {
    tokens += Math.max(0, sequence.length - 1);
    for (const i of nats.keys()) nats[i] = (nats[i] ?? 0) + counts.cost(sequence, i + 1);
  }
  return [
    { name: 'uniform', figure: 'loss', value: Math.log(vocabulary) },
    ...Array.from(nats, (sum, i) => ({
      name: NAMES[i] ?? 'trigram',
      figure: 'loss' as const,
      value: sum / tokens,
    })),
  ];
}

const CHUNK_TOKENS = 1 << 16;
/** Tokens that pairs are counted in at most: of a longer text, chunks spread over it. */
const MAX_CHUNKS = 64;

/** Tokens and pairs of tokens of what is learned from, on the very windows that a run is validated on. */
export async function textFloors(
  corpus: Corpus,
  range: TokenRange,
  { windows, sequence }: { readonly windows: readonly Batch[]; readonly sequence: number },
): Promise<readonly Floor[]> {
  const counted: Uint32Array[] = [];
  const chunks = Math.ceil((range.end - range.start) / CHUNK_TOKENS);
  const read = Math.min(chunks, MAX_CHUNKS);
  for (let i = 0; i < read; i++) {
    const start = range.start + Math.floor((i * chunks) / read) * CHUNK_TOKENS;
    // The token behind a chunk is predicted by it, too.
    counted.push(await corpus.read(start, Math.min(start + CHUNK_TOKENS + 1, range.end)));
  }
  const asked = windows.flatMap((window) => rowsOf(window, sequence));
  return sequenceFloors(corpus.tokenizer.size, 2, { counted, asked });
}

/** The rows of a batch as the tokens that each has in order. */
function rowsOf({ ids, targets }: Batch, sequence: number): Uint32Array[] {
  return Array.from({ length: ids.length / sequence }, (_, row) => {
    const whole = new Uint32Array(sequence + 1);
    whole[0] = ids[row * sequence] ?? 0;
    whole.set(targets.subarray(row * sequence, (row + 1) * sequence), 1);
    return whole;
  });
}

/** How many examples are right where the answer is always the class that was commonest in training. */
export function majorityFloor(learned: ArrayLike<number>, asked: ArrayLike<number>): Floor {
  const counts = new Map<number, number>();
  for (const label of Array.from(learned)) counts.set(label, (counts.get(label) ?? 0) + 1);
  let common = 0;
  for (const [label, count] of counts) if (count > (counts.get(common) ?? 0)) common = label;
  const right = Array.from(asked).filter((label) => label === common).length;
  return { name: 'majority', figure: 'accuracy', value: right / asked.length };
}

/** Maximum of distinct contexts and continuations: 6 MB. Later ones are not counted. */
const MAX_KEYS = 1 << 18;
const SLOTS = 2 * MAX_KEYS;
/** The part of each count reserved for tokens never seen after a context. */
const DISCOUNT = 0.75;

/** Where a key lies in a table that is open to it, or would. */
function slotOf(key: number, table: Float64Array): number {
  const mask = table.length - 1;
  let slot = (Math.imul(key % 0x1_0000_0000, 0x9e37_79b1) ^ (key / 0x1_0000_0000)) & mask;
  while (table[slot] !== key && table[slot] !== -1) slot = (slot + 1) & mask;
  return slot;
}

/** Counts by keys of up to 53 bits, in memory that does not grow beyond its bound. */
function createTally() {
  let keys = new Float64Array(1 << 10).fill(-1);
  let counts = new Uint32Array(1 << 10);
  let used = 0;
  const grow = () => {
    const [old, had] = [keys, counts];
    keys = new Float64Array(2 * old.length).fill(-1);
    counts = new Uint32Array(2 * old.length);
    for (const [at, key] of old.entries()) {
      if (key === -1) continue;
      const slot = slotOf(key, keys);
      keys[slot] = key;
      counts[slot] = had[at] ?? 0;
    }
  };
  return {
    count: (key: number) => counts[slotOf(key, keys)] ?? 0,
    /** How often it was there before; undefined where it is not counted, as there is no room. */
    add(key: number): number | undefined {
      if (2 * used >= keys.length && keys.length < SLOTS) grow();
      const slot = slotOf(key, keys);
      if (keys[slot] === -1) {
        if (used >= MAX_KEYS) return undefined;
        keys[slot] = key;
        used++;
      }
      const before = counts[slot] ?? 0;
      counts[slot] = before + 1;
      return before;
    },
  };
}

/** Counts of the tokens after contexts of one length. */
function createFollowers() {
  const [pairs, seen, kinds] = [createTally(), createTally(), createTally()];
  return { pairs, seen, kinds };
}

/**
 * How often tokens follow those before them, up to a number of tokens that are looked at together: 1 of
 * tokens alone, 2 of pairs. Absolute discounting, interpolated with the next shorter context.
 */
interface NgramCounts {
  /** Counts each token of a sequence but the first. */
  add(sequence: Uint32Array): void;
  /** Nats of all tokens of a sequence but the first, by contexts of up to `order` tokens with the token itself. */
  cost(sequence: Uint32Array, order: number): number;
}

export function createNgramCounts(vocabulary: number, order: number): NgramCounts {
  const alone = new Float64Array(vocabulary);
  let all = 0;
  const followers = Array.from({ length: order - 1 }, createFollowers);

  /** The `length` tokens before a place as one number; undefined where there are fewer. */
  const contextAt = (sequence: Uint32Array, at: number, length: number): number | undefined => {
    if (at < length) return undefined;
    let context = 0;
    for (let i = at - length; i < at; i++) context = context * vocabulary + (sequence[i] ?? 0);
    return context;
  };

  function chanceAt(sequence: Uint32Array, at: number, most: number): number {
    const token = sequence[at] ?? 0;
    let chance = ((alone[token] ?? 0) + 1) / (all + vocabulary);
    for (let length = 1; length < most; length++) {
      const context = contextAt(sequence, at, length);
      const known = followers[length - 1];
      const seen = context === undefined ? 0 : (known?.seen.count(context) ?? 0);
      if (context === undefined || !known || seen === 0) break;
      const own = Math.max(known.pairs.count(context * vocabulary + token) - DISCOUNT, 0);
      chance = (own + DISCOUNT * known.kinds.count(context) * chance) / seen;
    }
    return chance;
  }

  return {
    add(sequence) {
      for (let at = 1; at < sequence.length; at++) {
        const token = sequence[at] ?? 0;
        alone[token] = (alone[token] ?? 0) + 1;
        all++;
        for (const [i, { pairs, seen, kinds }] of followers.entries()) {
          const context = contextAt(sequence, at, i + 1);
          if (context === undefined) break;
          const before = pairs.add(context * vocabulary + token);
          if (before === undefined) continue;
          if (before === 0) kinds.add(context);
          seen.add(context);
        }
      }
    },
    cost(sequence, most) {
      let nats = 0;
      for (let at = 1; at < sequence.length; at++) nats -= Math.log(chanceAt(sequence, at, most));
      return nats;
    },
  };
}
