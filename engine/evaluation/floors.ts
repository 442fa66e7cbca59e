import type { Corpus } from '../data/corpus.ts';
import type { TokenRange } from '../data/split.ts';
import type { Batch } from '../data/windows.ts';
import { createNgramCounts } from './ngrams.ts';

export const FLOOR_NAMES = ['uniform', 'unigram', 'bigram', 'trigram', 'majority'] as const;
export type FloorName = (typeof FLOOR_NAMES)[number];

/** What something that cannot learn reaches on the validation data: less is better of a loss, more of an accuracy. */
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

/** What n-grams of some sequences cost on others, nats a token; the first token of each is never predicted. */
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
const MOST_CHUNKS = 64;

/** Tokens and pairs of tokens of what is learned from, on the very windows that a run is validated on. */
export async function textFloors(
  corpus: Corpus,
  range: TokenRange,
  { windows, sequence }: { readonly windows: readonly Batch[]; readonly sequence: number },
): Promise<readonly Floor[]> {
  const counted: Uint32Array[] = [];
  const chunks = Math.ceil((range.end - range.start) / CHUNK_TOKENS);
  const read = Math.min(chunks, MOST_CHUNKS);
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
