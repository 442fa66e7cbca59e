import type { Corpus } from '../data/corpus/corpus.ts';
import type { TokenRange } from '../data/corpus/corpus.ts';
import type { Batch } from '../data/corpus/windows.ts';
import { readCounted } from '../ngrams/corpus-ngrams.ts';
import { countNgrams } from '../ngrams/count.ts';
import { createNgramModel, type NgramModel } from '../ngrams/kneser-ney.ts';
import { type Pause, withoutPauses } from './pauses.ts';

type FloorName =
  | 'uniform'
  | 'unigram'
  | 'bigram'
  | 'trigram'
  | '4-gram'
  | '5-gram'
  | 'majority'
  | 'linear';

/** N-grams that a run on text is compared with. */
export const TEXT_ORDERS = [1, 2, 5] as const;

/** A baseline on the validation data: lower is better for a loss, higher for an accuracy. */
export interface Floor {
  readonly name: FloorName;
  readonly figure: 'loss' | 'accuracy';
  /** Nats a token, or a share. */
  readonly value: number;
}

const NAMES: readonly FloorName[] = ['unigram', 'bigram', 'trigram', '4-gram', '5-gram'];

/**
 * Cost of the n-grams of some sequences on others, in nats per token: modified Kneser-Ney of each of the
 * `orders`, 1 to 5. The first token of each sequence is never predicted.
 */
export async function sequenceFloors(
  vocabulary: number,
  orders: readonly number[],
  { counted, asked }: Record<'counted' | 'asked', readonly Uint32Array[]>,
  pause: Pause = withoutPauses,
): Promise<Floor[]> {
  const floors: Floor[] = [{ name: 'uniform', figure: 'loss', value: Math.log(vocabulary) }];
  for (const order of orders) {
    await pause();
    const model = createNgramModel(countNgrams(counted, { vocabulary, order }));
    const value = await meanCost(model, asked, pause);
    floors.push({ name: NAMES[order - 1] ?? '5-gram', figure: 'loss', value });
  }
  return floors;
}

/** Nats a token of all tokens but the first of each sequence. */
async function meanCost(
  model: NgramModel,
  sequences: readonly Uint32Array[],
  pause: Pause,
): Promise<number> {
  const logs = new Float32Array(model.vocabulary);
  let [nats, tokens] = [0, 0];
  for (const sequence of sequences) {
    for (let end = 1; end < sequence.length; end++) {
      model.logProbabilities({ tokens: sequence, start: 0, end }, logs);
      nats -= logs[sequence[end] as number] as number;
    }
    tokens += Math.max(0, sequence.length - 1);
    const due = pause();
    if (due) await due;
  }
  return nats / tokens;
}

/** N-grams of what is learned from, on the very windows that a run is validated on. */
export async function textFloors(
  corpus: Corpus,
  range: TokenRange,
  { windows, sequence }: { readonly windows: readonly Batch[]; readonly sequence: number },
  pause: Pause = withoutPauses,
): Promise<readonly Floor[]> {
  const counted = await readCounted(corpus, range);
  const asked = windows.flatMap((window) => rowsOf(window, sequence));
  return sequenceFloors(corpus.tokenizer.size, TEXT_ORDERS, { counted, asked }, pause);
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
