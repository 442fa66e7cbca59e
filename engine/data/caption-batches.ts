import { EngineError } from '../errors.ts';
import { type Key, keyOf, scramble, uniformFrom } from '../random/philox.ts';
import type { CaptionedSet } from './captions.ts';
import { type CharacterTokenizer, createCharacterTokenizer } from './character-tokenizer.ts';
import { shuffledIndices } from './image-batches.ts';
import { featuresOf } from './mel.ts';
import { type PatchShift, patchesOf, type PatchShape } from './patches.ts';

/** Captions begin behind it and end with it. */
export const CAPTION_MARK = '\n';

/** All characters of the captions, and the mark. */
export function captionTokenizer({ captions }: CaptionedSet): CharacterTokenizer {
  return createCharacterTokenizer([CAPTION_MARK, ...captions.flatMap((caption) => [...caption])]);
}

/** Some pairs as a network sees them. */
export interface CaptionBatch {
  /** The patches of pictures and then the frames of sounds, as many of the two as the set has. */
  readonly prefixes: readonly Float32Array[];
  /** `[batch][sequence]`: the mark and the caption, then marks. */
  readonly ids: Uint32Array;
  /** `[batch][sequence]`: the caption and the mark behind it. */
  readonly targets: Uint32Array;
  /** `[batch][sequence]`: 1 up to the end of the caption, 0 behind it; to learn from, of mean 1. */
  readonly weights: Float32Array;
}

/** How pairs are varied so that a network does not learn them by heart. */
export interface Augmentation {
  /** Pixels that a picture is moved by at most, up, down and sideways. */
  readonly shift: number;
  /** Share by which the contrast of each colour is raised or lowered at most. */
  readonly contrast: number;
  /** Share of the caption's tokens that are hidden from what predicts the next ones (word dropout). */
  readonly hidden: number;
}

export interface CaptionShape {
  readonly batch: number;
  readonly sequence: number;
  readonly patch: number;
}

const HIDE_STREAM = 0x48494445;
const SHIFT_STREAM = 0x53484654;

/** Turns pairs into batches, in arrays that the next batch overwrites. */
export interface CaptionGatherer {
  /** The captions of some places behind the pictures and sounds of others, or of the same. */
  gather(captions: ArrayLike<number>, inputs?: ArrayLike<number>): CaptionBatch;
  /** The same, varied by the draws of a step. */
  vary(places: ArrayLike<number>, step: number): CaptionBatch;
}

export interface GathererOptions {
  readonly set: CaptionedSet;
  readonly tokenizer: CharacterTokenizer;
  readonly shape: CaptionShape;
  readonly seed: number;
  readonly augmentation: Augmentation;
}

export function createCaptionGatherer(options: GathererOptions): CaptionGatherer {
  const { set, tokenizer, shape, seed, augmentation } = options;
  const tokens = set.captions.map((caption) => tokenizer.encode(caption + CAPTION_MARK));
  const mark = tokenizer.encode(CAPTION_MARK)[0] ?? 0;
  const key = keyOf(seed);
  const batch = emptyBatch(set, shape);
  const gather = (captions: ArrayLike<number>, inputs: ArrayLike<number>, shift?: ShiftOf) => {
    batch.ids.fill(mark);
    batch.targets.fill(mark);
    batch.weights.fill(0);
    for (let row = 0; row < captions.length; row++) {
      placeCaption(batch, tokens[captions[row] ?? 0] ?? new Uint32Array(), row, shape.sequence);
      placeInputs(batch, { set, shape, row, place: inputs[row] ?? 0, ...shift?.(row) });
    }
    return batch;
  };
  return {
    gather: (captions, inputs = captions) => gather(captions, inputs),
    vary(places, step) {
      gather(places, places, (row) => ({ shift: drawShift(augmentation, { key, step, row }) }));
      hideTokens(batch, mark, { share: augmentation.hidden, key, step });
      evenOut(batch.weights);
      return batch;
    },
  };
}

/** Batches of pairs in an order drawn anew for every epoch, from the seed and the epoch alone. */
export interface CaptionSampler {
  /** Whole batches of an epoch; pairs left over are seen in other epochs. */
  readonly stepsPerEpoch: number;
  batch(step: number): CaptionBatch;
}

/** Throws EngineError `captions-invalid` for fewer pairs than one batch. */
export function createCaptionSampler(
  gatherer: CaptionGatherer,
  places: readonly number[],
  { batch, seed }: { readonly batch: number; readonly seed: number },
): CaptionSampler {
  const stepsPerEpoch = Math.floor(places.length / batch);
  if (stepsPerEpoch === 0) {
    throw new EngineError(
      'captions-invalid',
      `there are ${places.length} pairs to learn from: a batch of ${batch} needs as many at least`,
    );
  }
  const key = keyOf(seed);
  let drawn = { epoch: 0, order: shuffledIndices(places.length, 0, key) };
  return {
    stepsPerEpoch,
    batch(step) {
      const epoch = Math.floor(step / stepsPerEpoch);
      if (epoch !== drawn.epoch) {
        drawn = { epoch, order: shuffledIndices(places.length, epoch, key) };
      }
      const first = (step % stepsPerEpoch) * batch;
      const chosen = drawn.order.subarray(first, first + batch);
      return gatherer.vary(
        Array.from(chosen, (i) => places[i] ?? 0),
        step,
      );
    },
  };
}

type ShiftOf = (row: number) => { readonly shift: PatchShift };

interface Draw {
  readonly key: Key;
  readonly step: number;
}

function emptyBatch(
  { pictures, sounds }: CaptionedSet,
  { batch, sequence, patch }: CaptionShape,
): CaptionBatch {
  const pixels = pictures && patchShapeOf(pictures, patch);
  return {
    prefixes: [
      ...(pixels ? [new Float32Array(batch * pixels.channels * pixels.width * pixels.height)] : []),
      ...(sounds
        ? [new Float32Array(batch * sounds.options.frames * featuresOf(sounds.options))]
        : []),
    ],
    ids: new Uint32Array(batch * sequence),
    targets: new Uint32Array(batch * sequence),
    weights: new Float32Array(batch * sequence),
  };
}

function patchShapeOf({ shape }: NonNullable<CaptionedSet['pictures']>, patch: number): PatchShape {
  return { ...shape, patch };
}

/** Captions that are longer than the sequence are cut, without the mark that ends them. */
function placeCaption(batch: CaptionBatch, tokens: Uint32Array, row: number, sequence: number) {
  const kept = tokens.subarray(0, sequence);
  const first = row * sequence;
  batch.targets.set(kept, first);
  batch.weights.fill(1, first, first + kept.length);
  batch.ids.set(kept.subarray(0, sequence - 1), first + 1);
}

interface Placed {
  readonly set: CaptionedSet;
  readonly shape: CaptionShape;
  readonly row: number;
  readonly place: number;
  readonly shift?: PatchShift;
}

function placeInputs(batch: CaptionBatch, { set, shape, row, place, shift }: Placed): void {
  const { pictures, sounds } = set;
  let next = 0;
  if (pictures) {
    const patches = patchShapeOf(pictures, shape.patch);
    const pixels = patches.channels * patches.width * patches.height;
    const picture = pictures.values.subarray(place * pixels, (place + 1) * pixels);
    const target = batch.prefixes[next++]?.subarray(row * pixels, (row + 1) * pixels);
    if (target) patchesOf(picture, patches, target, shift);
  }
  if (sounds) {
    const numbers = sounds.options.frames * featuresOf(sounds.options);
    const clip = sounds.values.subarray(place * numbers, (place + 1) * numbers);
    batch.prefixes[next]?.set(clip, row * numbers);
  }
}

function drawShift(
  { shift, contrast }: Augmentation,
  { key, step, row }: Draw & { readonly row: number },
): PatchShift {
  const words = Uint32Array.of(row, step, 0, SHIFT_STREAM);
  scramble(words, key);
  const colours = Uint32Array.of(row, step, 1, SHIFT_STREAM);
  scramble(colours, key);
  const pixels = (word = 0) => Math.floor(uniformFrom(word) * (2 * shift + 1)) - shift;
  const gain = (word = 0) => 1 + contrast * (2 * uniformFrom(word) - 1);
  return {
    down: pixels(words[0]),
    right: pixels(words[1]),
    gains: [gain(colours[0]), gain(colours[1]), gain(colours[2])],
  };
}

/** Makes the mean of the weights 1, so that a mean of weighted losses is one of what counts. */
function evenOut(weights: Float32Array): void {
  const counted = weights.reduce((sum, weight) => sum + weight, 0);
  for (let i = 0; i < weights.length; i++) weights[i] = ((weights[i] ?? 0) * weights.length) / counted;
}

/** Hides tokens of the captions behind the mark; the first of each row is the mark itself. */
function hideTokens(
  { ids }: CaptionBatch,
  mark: number,
  { share, key, step }: Draw & { readonly share: number },
): void {
  if (share === 0) return;
  const words = new Uint32Array(4);
  for (let i = 0; i < ids.length; i++) {
    if (i % 4 === 0) {
      words.set([i, step, 0, HIDE_STREAM]);
      scramble(words, key);
    }
    if (uniformFrom(words[i % 4] ?? 0) < share) ids[i] = mark;
  }
}
