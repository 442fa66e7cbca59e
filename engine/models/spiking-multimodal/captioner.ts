import type { Backend, Player } from '../../backends/backend.ts';
import { modelOf, type StoredModel } from '../../checkpoint/checkpoint.ts';
import { CAPTION_MARK } from '../../data/captions/batches.ts';
import { patchesOf } from '../../data/captions/patches.ts';
import { soundFeatures } from '../../data/captions/sounds.ts';
import type { Tokenizer } from '../../data/tokenizer.ts';
import { resizePicture } from '../../data/picture-size.ts';
import type { Picture } from '../../data/png.ts';
import type { Sound } from '../../data/wav.ts';
import { EngineError } from '../../errors.ts';
import { slotWord } from '../../ops/slots.ts';
import { checkSampling, sampleToken, type Sampling } from '../sampling.ts';
import {
  type CaptionReading,
  type PrefixReading,
  traceCaptionReading,
} from './reading-programs.ts';
import { captionTokenizerOf } from './caption-tokenizer.ts';
import { multimodalStructureFrom } from './spec.ts';
import type { MultimodalStructure } from './structure.ts';

export interface CaptionRequest extends Sampling {
  /** What is captioned: as many of the two as the model was trained with. */
  readonly picture?: Picture;
  readonly sound?: Sound;
  /** How the caption begins. */
  readonly prompt?: string;
  /** Tokens to write at most; as many as the model learned where it is left out. */
  readonly tokens?: number;
  readonly signal?: AbortSignal;
}

/** A stored model made ready to say what it sees and hears. */
export interface Captioner {
  /**
   * Writes a caption character by character until the model ends it. Throws EngineError `invalid-setting`
   * for a picture or sound that is missing or not asked for and for sampling that cannot be,
   * `unknown-character` for a prompt outside the alphabet; a second caption is refused with
   * `generator-busy` until the first has ended, as the state is carried on the device.
   */
  caption(request: CaptionRequest): AsyncGenerator<string, void, undefined>;
  close(): void;
}

/** Throws EngineError `checkpoint-mismatch` for a model of another family. */
export async function openCaptioner(backend: Backend, stored: StoredModel): Promise<Captioner> {
  const model = modelOf(stored, 'spiking_multimodal');
  const { spec, layout, values } = model;
  const tokenizer = captionTokenizerOf(model);
  const structure = multimodalStructureFrom(spec);
  const reading = traceCaptionReading(layout, structure, 1);
  const player = await backend.load(layout, reading.programs);
  player.write(layout.values, values);
  let isWriting = false;
  return {
    async *caption(request) {
      if (isWriting) throw busy();
      checkSampling(request);
      const prefixes = inputsOf(structure, request);
      const prompt = tokenizer.encode(CAPTION_MARK + (request.prompt ?? ''));
      isWriting = true;
      try {
        readPrefixes(player, reading, prefixes);
        yield* write(player, { reading, tokenizer, prompt, most: structure.sequence }, request);
      } finally {
        isWriting = false;
      }
    },
    close: () => player.close(),
  };
}

/** Reads what is captioned, token by token, into a state that begins anew. */
function readPrefixes(
  player: Player,
  { prefixes }: CaptionReading,
  inputs: readonly Float32Array[],
): void {
  let isFresh = true;
  for (const [i, { prefix, ...reading }] of prefixes.entries()) {
    for (let token = 0; token < prefix.tokens; token++) {
      const numbers = inputs[i]?.subarray(token * prefix.features, (token + 1) * prefix.features);
      if (numbers) readPrefixToken(player, reading, { token, numbers, isFresh });
      isFresh = false;
    }
  }
}

function readPrefixToken(
  player: Player,
  { program, input, positions, slots }: Omit<PrefixReading, 'prefix'>,
  {
    token,
    numbers,
    isFresh,
  }: { readonly token: number; readonly numbers: Float32Array; readonly isFresh: boolean },
): void {
  player.write(input, numbers);
  player.write(positions, Uint32Array.of(token));
  player.write(slots, Uint32Array.of(slotWord(0, isFresh)));
  player.play(program);
}

interface Writing {
  readonly reading: CaptionReading;
  readonly tokenizer: Tokenizer;
  readonly prompt: Uint32Array;
  readonly most: number;
}

async function* write(
  player: Player,
  { reading: { text }, tokenizer, prompt, most }: Writing,
  { tokens = most, signal, ...sampling }: CaptionRequest,
): AsyncGenerator<string, void, undefined> {
  const read = (token: number) => {
    player.write(text.ids, Uint32Array.of(token));
    player.write(text.slots, Uint32Array.of(slotWord(0, false)));
    player.play(text.program);
  };
  for (const token of prompt) read(token);
  for (let position = 0; position < tokens; position++) {
    if (signal?.aborted) return;
    // Logits are always read as f32.
    const scores = (await player.read(text.logits)) as Float32Array;
    const token = sampleToken(scores, sampling, position);
    const character = tokenizer.decode([token]);
    if (character === CAPTION_MARK) return;
    yield character;
    read(token);
  }
}

/** The numbers of each prefix, `[tokens][features]`. */
function inputsOf(
  { image, audio }: MultimodalStructure,
  { picture, sound }: CaptionRequest,
): Float32Array[] {
  expectInput('picture', image !== undefined, picture !== undefined);
  expectInput('sound', audio !== undefined, sound !== undefined);
  const inputs: Float32Array[] = [];
  if (image && picture) {
    const patches = new Float32Array(image.channels * image.width * image.height);
    patchesOf(resizePicture(picture, image), image, patches);
    inputs.push(patches);
  }
  if (audio && sound) inputs.push(Float32Array.from(soundFeatures(sound, audio)));
  return inputs;
}

function expectInput(what: string, isLearned: boolean, isGiven: boolean): void {
  if (isLearned === isGiven) return;
  throw new EngineError(
    'invalid-setting',
    isLearned
      ? `there is no ${what}: the model learned captions behind one, expected it`
      : `a ${what} was given: the model learned captions without one`,
  );
}

function busy(): EngineError {
  return new EngineError(
    'generator-busy',
    'the model is writing another caption: expected it to end first',
  );
}
