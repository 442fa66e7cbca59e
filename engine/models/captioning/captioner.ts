import type { Backend } from '../../graph/backend.ts';
import { type StoredModel, textModelOf } from '../../checkpoint/checkpoint.ts';
import { CAPTION_MARK } from '../../data/captions/caption-batches.ts';
import { EngineError } from '../../errors.ts';
import type { BatchedModel } from '../language/batched-model.ts';
import { openBatchedModel } from '../open-model.ts';
import { isPrefixedSpec, prefixInputsOf } from './prefix-inputs.ts';
import { type PrefixMedia } from './prefix.ts';
import { checkSampling, sampleToken, type Sampling } from '../language/sampling.ts';

/** A caption request: the media kinds the model was trained with; any of them for a memoried model. */
export interface CaptionRequest extends Sampling, PrefixMedia {
  /** How the caption begins. */
  readonly prompt?: string;
  /** Tokens to write at most; as many as the model learned by default. */
  readonly tokens?: number;
  readonly signal?: AbortSignal;
}

/** A stored model made ready to say what it sees and reads. */
interface Captioner {
  /**
   * Writes a caption character by character until the model ends it. Throws EngineError `invalid-setting`
   * for an image or sound that is missing or not asked for and for sampling that cannot be,
   * `unknown-character` for a prompt outside the alphabet; a second caption is refused with
   * `generator-busy` until the first has ended, as the state is carried on the device.
   */
  caption(request: CaptionRequest): AsyncGenerator<string, void, undefined>;
  close(): void;
}

/** Throws EngineError `checkpoint-mismatch` for a model that reads no images and audio in front of a text. */
export async function openCaptioner(backend: Backend, stored: StoredModel): Promise<Captioner> {
  const { spec } = stored;
  if (!isPrefixedSpec(spec)) {
    throw new EngineError(
      'checkpoint-mismatch',
      `the checkpoint holds a ${spec.architecture} model (${spec.model_family}), which writes no captions`,
    );
  }
  const { tokenizer } = textModelOf(stored);
  const model = await openBatchedModel(backend, stored, { slots: 1 });
  let isWriting = false;
  return {
    async *caption(request) {
      if (isWriting) throw busy();
      checkSampling(request);
      const inputs = prefixInputsOf(spec, request);
      const prompt = tokenizer.encode(CAPTION_MARK + (request.prompt ?? ''));
      isWriting = true;
      try {
        model.clear(0);
        await model.prime?.(0, inputs);
        const most = request.tokens ?? spec.core.caption_seq_len;
        yield* write(model, { tokenizer, prompt, most }, request);
      } finally {
        isWriting = false;
      }
    },
    close: () => model.close(),
  };
}

interface Writing {
  readonly tokenizer: ReturnType<typeof textModelOf>['tokenizer'];
  readonly prompt: Uint32Array;
  readonly most: number;
}

async function* write(
  model: BatchedModel,
  { tokenizer, prompt, most }: Writing,
  { signal, ...sampling }: CaptionRequest,
): AsyncGenerator<string, void, undefined> {
  for (const token of prompt.subarray(0, -1)) model.pass([{ slot: 0, token }]);
  let token = prompt.at(-1) ?? 0;
  const decoder = tokenizer.openDecoder();
  for (let position = 0; position < most; position++) {
    if (signal?.aborted) return;
    const scores = await model.read([{ slot: 0, token }]);
    token = sampleToken(scores, sampling, position);
    const characters = decoder.push([token]);
    if (characters === CAPTION_MARK) return;
    yield characters;
  }
}

function busy(): EngineError {
  return new EngineError(
    'generator-busy',
    'the model is writing another caption: expected it to end first',
  );
}
