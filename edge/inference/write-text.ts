import {
  EDGE_MAX_LENGTH,
  EDGE_MAX_PROMPT,
} from '../contract/inference/edge-inference-endpoints.ts';
import type { InferRequest, InferResponse } from '../contract/inference/infer.ts';
import {
  encodePrompt,
  encodeStops,
  promptTokensOf,
} from '../contract/inference/text-prompt.ts';
import { checkInputs } from '../contract/inference/model-inputs.ts';
import { invalid } from '../contract/refusal.ts';
import { checkRaster, inferResponse } from '../http/infer-answer.ts';
import { randomBytes } from '../http/random.ts';
import { ulid } from '../http/ulid.ts';
import { type Sequence, Writing } from '../../engine/inference.ts';
import type { LoadedModel } from './loaded-model.ts';
import type { Held } from './model-cache.ts';
import { nameOf } from './model-files.ts';
import { Pace } from './pace.ts';

/** Who follows a text while it is written. */
export interface Follower {
  /** Looks whether the text is still wanted in time. */
  check(): void;
  /** Whether the caller has gone: the text ends there. */
  hasGone(): boolean;
  onText(text: string): void;
}

/** A text that can be written: the request fits the model. */
export interface Draft {
  readonly id: string;
  readonly request: InferRequest;
  readonly sequence: Sequence;
  readonly seed: number;
}

const TEXT_ALONE = { text: 'needed' } as const;

/** @throws Problem validation_failed for what is too long, which needs no model to be loaded */
export function checkLengths({ config, inputs, model_id: model }: InferRequest): void {
  if (config.max_length > EDGE_MAX_LENGTH) {
    const detail = `expected at most ${EDGE_MAX_LENGTH} at the edge (got ${config.max_length})`;
    throw invalid('/config/max_length', 'too_big', detail);
  }
  checkInputs(inputs, TEXT_ALONE, model);
  const characters = [...(inputs.text ?? '')].length;
  if (characters <= EDGE_MAX_PROMPT) return;
  const detail = `expected at most ${EDGE_MAX_PROMPT} characters at the edge (got ${characters})`;
  throw invalid('/inputs/text', 'too_big', detail);
}

/** @throws Problem validation_failed for a character that the model does not know, or too large a picture */
export function draftOf({ entry, loaded }: Held, request: InferRequest): Draft {
  const { config, inputs, stream, id = `inf_${ulid()}` } = request;
  const { tokenizer } = loaded;
  const prompt = encodePrompt(tokenizer, inputs, { model: nameOf(entry.record) });
  checkRaster(prompt.length, request);
  const seed = config.seed ?? randomSeed();
  const sequence = {
    prompt,
    most: config.max_length,
    sampling: { temperature: config.temperature, topK: config.top_k, topP: config.top_p, seed },
    stops: encodeStops(config.stop),
    isStreamed: stream,
    hasRaster: config.raster,
  };
  return { id, request, sequence, seed };
}

/** Writes the text, in slices. @throws what the follower's `check` throws */
export async function writeText(
  { entry, loaded }: Held,
  draft: Draft,
  { follower, askedAt }: { readonly follower: Follower; readonly askedAt: number },
): Promise<InferResponse> {
  const { model, tokenizer } = loaded;
  const writing = new Writing(draft.sequence, tokenizer);
  const pace = new Pace();
  const beganAt = performance.now();
  let text = '';
  let completion = 0;
  model.clear(0);
  while (writing.reason === undefined && !follower.hasGone()) {
    follower.check();
    await readNext(loaded, writing);
    const piece = writing.take();
    completion += piece.tokens;
    text += piece.text;
    if (piece.text !== '') follower.onText(piece.text);
    await pace.step();
  }
  const use = model.useOf(await model.spikeCounts(), writing.read);
  return inferResponse({
    id: draft.id,
    record: entry.record,
    promptTokens: promptTokensOf(draft.request, draft.sequence.prompt),
    text,
    completion,
    reason: writing.reason ?? 'cancelled',
    seed: draft.seed,
    batch: 1,
    use,
    raster: writing.raster(),
    arrivedAt: askedAt,
    askedAt,
    beganAt,
  });
}

async function readNext({ model }: LoadedModel, writing: Writing): Promise<void> {
  const read = { slot: 0, token: writing.next };
  const { needsLogits } = writing;
  if (writing.sequence.hasRaster) {
    const { logits, layers } = await model.observe(read);
    for (const { name, neurons, spikes } of layers) writing.see(name, neurons, spikes);
    writing.advance(needsLogits ? logits : undefined);
  } else if (needsLogits) {
    writing.advance(await model.read([read]));
  } else {
    model.pass([read]);
    writing.advance(undefined);
  }
}

function randomSeed(): number {
  const bytes = randomBytes(Uint32Array.BYTES_PER_ELEMENT);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}
