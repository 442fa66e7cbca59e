import { EngineError } from '../../errors.ts';
import { type Key, keyOf, scramble, uniformFrom } from '../../random/philox.ts';
import {
  type CharacterTokenizer,
  createCharacterTokenizer,
} from '../tokenizers/character-tokenizer.ts';
import type { Tokenizer } from '../tokenizers/tokenizer.ts';
import { shuffledIndices } from '../../random/shuffle.ts';
import { featuresOf } from '../audio/mel.ts';
import type { CaptionedSet } from './captions.ts';
import { type ImageVariation, patchesOf } from '../images/patches.ts';

/** Delimiter before and after a caption. */
export const CAPTION_MARK = '\n';

/** All characters of the captions, and the mark. */
export function captionTokenizer({ captions }: CaptionedSet): CharacterTokenizer {
  return createCharacterTokenizer(CAPTION_MARK + captions.join(''));
}

/** Some pairs as a network sees them. */
export interface CaptionBatch {
  /** Patches of the images, then frames of the audio: one entry per modality of the set. */
  readonly prefixes: readonly Float32Array[];
  /** `[batch][sequence]`: the mark and the caption, then marks. */
  readonly ids: Uint32Array;
  /** `[batch][sequence]`: the caption and the delimiter after it. */
  readonly targets: Uint32Array;
  /** `[batch][sequence]`: 1 up to the end of the caption and 0 after it; in training scaled to mean 1. */
  readonly weights: Float32Array;
}

/** Augmentation of pairs, against memorisation. */
export interface Augmentation {
  /** Pixels by which an image is shifted at most, in each direction. */
  readonly shift: number;
  /** Largest fraction by which the contrast of each colour is raised or lowered. */
  readonly contrast: number;
  /**
   * Largest fraction of a caption's tokens that are hidden from the context (word dropout). Each caption
   * draws its own between 0 and this.
   */
  readonly hidden: number;
}

interface CaptionShape {
  readonly batch: number;
  readonly sequence: number;
  /** Pixels along the side of a patch. */
  readonly patch: number;
}

/** Turns pairs into batches, in arrays that the next batch overwrites. */
export interface CaptionGatherer {
  /** Captions of some pairs with the inputs of others; rows without a caption have weight 0. */
  gather(captions: ArrayLike<number>, inputs: ArrayLike<number>): CaptionBatch;
  /** Pairs to learn from, varied by the draws of a step. */
  vary(places: ArrayLike<number>, draws: Draws): CaptionBatch;
}

/** Key and step of random draws. */
interface Draws {
  readonly key: Key;
  readonly step: number;
}

interface GathererOptions {
  readonly set: CaptionedSet;
  readonly tokenizer: Tokenizer;
  readonly shape: CaptionShape;
  readonly augmentation: Augmentation;
}

const HIDE_STREAM = 0x48494445;
const SHIFT_STREAM = 0x53484654;

/** Throws EngineError `unknown-character` for a caption that the tokenizer cannot write. */
export function createCaptionGatherer(options: GathererOptions): CaptionGatherer {
  const { set, tokenizer, shape, augmentation } = options;
  const tokens = set.captions.map((caption) => tokenizer.encode(caption + CAPTION_MARK));
  const mark = tokenizer.encode(CAPTION_MARK)[0] ?? 0;
  const writers = inputWriters(set, shape);
  const size = shape.batch * shape.sequence;
  const batch: CaptionBatch = {
    prefixes: writers.map(({ target }) => target),
    ids: new Uint32Array(size),
    targets: new Uint32Array(size),
    weights: new Float32Array(size),
  };
  const gather = (
    captions: ArrayLike<number>,
    inputs: ArrayLike<number>,
    shiftOf?: (row: number) => ImageVariation,
  ) => {
    batch.ids.fill(mark);
    batch.targets.fill(mark);
    batch.weights.fill(0);
    for (let row = 0; row < captions.length; row++) {
      const caption = tokens[captions[row] ?? 0];
      if (caption) placeCaption(batch, caption, row, shape.sequence);
      for (const { write } of writers) write(row, inputs[row] ?? 0, shiftOf?.(row));
    }
    return batch;
  };
  return {
    gather: (captions, inputs) => gather(captions, inputs),
    vary(places, draws) {
      gather(places, places, (row) => drawShift(augmentation, draws, row));
      hideTokens(batch, { mark, max: augmentation.hidden, sequence: shape.sequence }, draws);
      evenOut(batch.weights);
      return batch;
    },
  };
}

/** Batches of pairs in an order drawn for each epoch from the seed and the epoch alone. */
interface CaptionSampler<Batch = CaptionBatch> {
  /** Whole batches per epoch; pairs left over appear in other epochs. */
  readonly stepsPerEpoch: number;
  batch(step: number): Batch;
  reseed(seed: number): void;
}

/** Throws EngineError `captions-invalid` for fewer pairs to learn from than one batch. */
export function createCaptionSampler<Batch>(
  gatherer: { vary(places: readonly number[], draws: Draws): Batch },
  places: readonly number[],
  { batch, seed }: { readonly batch: number; readonly seed: number },
): CaptionSampler<Batch> {
  const stepsPerEpoch = Math.floor(places.length / batch);
  if (stepsPerEpoch === 0) {
    throw new EngineError(
      'captions-invalid',
      `there are ${places.length} pairs to learn from: a batch of ${batch} needs as many at least`,
    );
  }
  let key = keyOf(seed);
  let drawn = { epoch: 0, order: shuffledIndices(places.length, 0, key) };
  const draw = (epoch: number) => {
    drawn = { epoch, order: shuffledIndices(places.length, epoch, key) };
  };
  return {
    stepsPerEpoch,
    batch(step) {
      const epoch = Math.floor(step / stepsPerEpoch);
      if (epoch !== drawn.epoch) draw(epoch);
      const first = (step % stepsPerEpoch) * batch;
      const chosen = Array.from(drawn.order.subarray(first, first + batch), (i) => places[i] ?? 0);
      return gatherer.vary(chosen, { key, step });
    },
    reseed(next) {
      key = keyOf(next);
      draw(drawn.epoch);
    },
  };
}

/** Writes one modality of the inputs into its prefix of a batch. */
interface InputWriter {
  readonly target: Float32Array;
  write(row: number, place: number, shift?: ImageVariation): void;
}

function inputWriters(
  { pictures, sounds }: CaptionedSet,
  { batch, patch }: CaptionShape,
): InputWriter[] {
  const writers: InputWriter[] = [];
  if (pictures) {
    const { channels, width, height } = pictures.shape;
    const pixels = channels * width * height;
    const target = new Float32Array(batch * pixels);
    const write = (row: number, place: number, shift?: ImageVariation) => {
      const picture = pictures.values.subarray(place * pixels, (place + 1) * pixels);
      const into = target.subarray(row * pixels, (row + 1) * pixels);
      patchesOf(picture, { ...pictures.shape, patch }, into, shift);
    };
    writers.push({ target, write });
  }
  if (sounds) {
    const numbers = sounds.options.frames * featuresOf(sounds.options);
    const target = new Float32Array(batch * numbers);
    const write = (row: number, place: number) =>
      target.set(sounds.values.subarray(place * numbers, (place + 1) * numbers), row * numbers);
    writers.push({ target, write });
  }
  return writers;
}

/** Cuts captions that are longer than the sequence, without the delimiter at their end. */
function placeCaption(batch: CaptionBatch, tokens: Uint32Array, row: number, sequence: number) {
  const cut = tokens.subarray(0, sequence);
  const first = row * sequence;
  batch.targets.set(cut, first);
  batch.weights.fill(1, first, first + cut.length);
  batch.ids.set(cut.subarray(0, sequence - 1), first + 1);
}

function drawShift({ shift, contrast }: Augmentation, draws: Draws, row: number): ImageVariation {
  const words = wordsAt([row, draws.step, 0, SHIFT_STREAM], draws.key);
  const colours = wordsAt([row, draws.step, 1, SHIFT_STREAM], draws.key);
  const pixels = (word = 0) => Math.floor(uniformFrom(word) * (2 * shift + 1)) - shift;
  const gain = (word = 0) => 1 + contrast * (2 * uniformFrom(word) - 1);
  return {
    down: pixels(words[0]),
    right: pixels(words[1]),
    gains: [gain(colours[0]), gain(colours[1]), gain(colours[2])],
  };
}

interface Hiding {
  readonly mark: number;
  readonly max: number;
  /** Tokens of a row. */
  readonly sequence: number;
}

/** Replaces context tokens by the delimiter; the first of each row is the delimiter itself. */
function hideTokens({ ids }: CaptionBatch, { mark, max, sequence }: Hiding, draws: Draws): void {
  for (let row = 0; row * sequence < ids.length; row++) {
    const own = ids.subarray(row * sequence, (row + 1) * sequence);
    let fraction = 0;
    for (let first = 0; first < sequence; first += 4) {
      const words = wordsAt([row, draws.step, first, HIDE_STREAM], draws.key);
      for (const [i, word] of words.entries()) {
        const drawn = uniformFrom(word);
        // The draw of the first token, which is never hidden, sets the fraction of the row.
        if (first + i === 0) fraction = max * drawn;
        else if (drawn < fraction && first + i < sequence) own[first + i] = mark;
      }
    }
  }
}

function wordsAt(counter: readonly number[], key: Key): Uint32Array {
  const words = Uint32Array.from(counter);
  scramble(words, key);
  return words;
}

/** Scales the weights to mean 1, so that the mean weighted loss is the mean over the tokens that count. */
export function evenOut(weights: Float32Array): void {
  const counted = weights.reduce((sum, weight) => sum + weight, 0);
  const factor = weights.length / counted;
  for (let i = 0; i < weights.length; i++) weights[i] = (weights[i] ?? 0) * factor;
}
