import type { Player } from '../../backends/backend.ts';
import type { CaptionGatherer } from '../../data/captions/batches.ts';
import { type CaptionEvaluation, writeCaptions } from './caption-model.ts';
import { packClock } from '../../ops/step-inputs.ts';
import { pairRetrieval, type RetrievalFigures } from '../../evaluation/retrieval.ts';

/** What scores captions: a loaded program with what fills its inputs. */
export interface CaptionReader {
  readonly player: Player;
  readonly evaluate: CaptionEvaluation;
  readonly gatherer: CaptionGatherer;
}

/** Places of captions, and of the pictures or sounds that each stands behind. */
export interface CaptionPlaces {
  readonly captions: readonly number[];
  readonly inputs: readonly number[];
}

/** Nats of whole captions and their tokens, the mark at the end included. */
export interface CaptionCosts {
  readonly nats: Float64Array;
  readonly tokens: Uint32Array;
}

/** What each caption costs behind the picture or sound of the same index. */
export async function captionCosts(
  { player, evaluate, gatherer }: CaptionReader,
  { captions, inputs }: CaptionPlaces,
): Promise<CaptionCosts> {
  const { batch, sequence } = evaluate;
  const nats = new Float64Array(captions.length);
  const tokens = new Uint32Array(captions.length);
  for (let first = 0; first < captions.length; first += batch) {
    const end = first + batch;
    const gathered = gatherer.gather(captions.slice(first, end), inputs.slice(first, end));
    writeCaptions(player, evaluate, gathered);
    player.write(evaluate.clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
    player.play(evaluate.program);
    const losses = await player.read(evaluate.tokenLosses);
    for (let row = 0; first + row < Math.min(end, captions.length); row++) {
      const ofRow = [row * sequence, (row + 1) * sequence] as const;
      nats[first + row] = sum(losses.subarray(...ofRow));
      tokens[first + row] = sum(gathered.weights.subarray(...ofRow));
    }
  }
  return { nats, tokens };
}

/** What every caption costs behind every picture or sound. */
export interface PairCosts extends CaptionCosts {
  /** `[pairs][pairs]`: a row for each picture, a column for each caption. */
  readonly nats: Float64Array;
}

/** `places` are those of pairs. */
export async function pairCosts(
  scorer: CaptionReader,
  places: readonly number[],
): Promise<PairCosts> {
  const pairs = places.flatMap((input) => places.map((caption) => ({ input, caption })));
  const captions = pairs.map(({ caption }) => caption);
  const inputs = pairs.map(({ input }) => input);
  const { nats, tokens } = await captionCosts(scorer, { captions, inputs });
  return { nats, tokens: tokens.subarray(0, places.length) };
}

/** Whether captions are told apart by what they belong to. */
export interface CaptionFigures {
  /** Nats a token behind their own pictures or sounds, and behind those of others. */
  readonly right: number;
  readonly shuffled: number;
  /** Captions asked for with a picture, and pictures with a caption. */
  readonly captionsOfPictures: RetrievalFigures;
  readonly picturesOfCaptions: RetrievalFigures;
}

/**
 * The figures of pairs, shuffled so that each caption stands behind the input `shift` places further. For
 * retrieval a caption is as similar to a picture as it costs less behind it than behind all on the mean:
 * some captions are cheap whatever they stand behind.
 */
export function captionFigures({ nats, tokens }: PairCosts, shift: number): CaptionFigures {
  const pairs = tokens.length;
  const cost = (input: number, caption: number) => nats[input * pairs + caption] ?? Number.NaN;
  const all = Array.from(tokens, (_, i) => i);
  const mean = (inputOf: (caption: number) => number) =>
    sum(all.map((caption) => cost(inputOf(caption), caption))) / sum(tokens);
  const usual = all.map((caption) => sum(all.map((input) => cost(input, caption))) / pairs);
  const similarities = nats.map((one, i) => (usual[i % pairs] ?? 0) - one);
  const { forward, backward } = pairRetrieval(similarities, pairs);
  return {
    right: mean((caption) => caption),
    shuffled: mean((caption) => (caption + shift) % pairs),
    captionsOfPictures: forward,
    picturesOfCaptions: backward,
  };
}

function sum(numbers: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < numbers.length; i++) total += numbers[i] ?? 0;
  return total;
}
