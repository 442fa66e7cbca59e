import { EDGE_MAX_LENGTH, EDGE_MAX_PROMPT } from './edge-endpoints.ts';
import type { ClassResponse, InferRequest, InferResponse } from './contract/infer.ts';
import { invalid } from '../contract/refusal.ts';
import { checkRaster, classResponse, inferResponse } from '../http/infer-response.ts';
import { randomBytes } from '../http/random.ts';
import { ulid } from '../http/ulid.ts';
import { type Sequence, softmax, Writing } from '../../engine/inference.ts';
import type { LoadedClasses, LoadedText } from './loaded-model.ts';
import type { Held } from './model-cache.ts';
import { nameOf } from './model-files.ts';
import { Pace } from './pace.ts';
import { shownTo, textRequestOf } from './read-request.ts';

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
  readonly promptTokens: number;
}

/** @throws Problem validation_failed for what is too long, which needs no model to be loaded */
export function checkLengths({ config, inputs }: InferRequest): void {
  if (config.max_length > EDGE_MAX_LENGTH) {
    const detail = `expected at most ${EDGE_MAX_LENGTH} at the edge (got ${config.max_length})`;
    throw invalid('/config/max_length', 'too_big', detail);
  }
  const characters = [...(inputs.text ?? '')].length;
  if (characters <= EDGE_MAX_PROMPT) return;
  const detail = `expected at most ${EDGE_MAX_PROMPT} characters at the edge (got ${characters})`;
  throw invalid('/inputs/text', 'too_big', detail);
}

/** @throws Problem validation_failed for a character that the model does not know, or too large a picture */
export function draftOf({ entry }: Held, loaded: LoadedText, request: InferRequest): Draft {
  const { config, stream, id = `inf_${ulid()}` } = request;
  const { promptTokens, ...read } = textRequestOf(request, loaded, nameOf(entry.record));
  checkRaster(read.prompt.length, request);
  const seed = config.seed ?? randomSeed();
  const sequence = {
    ...read,
    most: config.max_length,
    sampling: { temperature: config.temperature, topK: config.top_k, topP: config.top_p, seed },
    isStreamed: stream,
    hasRaster: config.raster,
  };
  return { id, request, sequence, seed, promptTokens };
}

/** Writes the text, in slices. @throws what the follower's `check` throws */
export async function writeText(
  { entry }: Held,
  loaded: LoadedText,
  draft: Draft,
  { follower, askedAt }: { readonly follower: Follower; readonly askedAt: number },
): Promise<InferResponse> {
  const { model, tokenizer } = loaded;
  const writing = new Writing(draft.sequence, tokenizer);
  const pace = new Pace();
  const beganAt = performance.now();
  let text = '';
  let completion = 0;
  const { inFront, classes } = await beginText(loaded, draft.sequence);
  while (writing.reason === undefined && !follower.hasGone()) {
    follower.check();
    await readNext(loaded, writing);
    if (writing.read === draft.sequence.prompt.length) await classes?.ask();
    const piece = writing.take();
    completion += piece.tokens;
    text += piece.text;
    if (piece.text !== '') follower.onText(piece.text);
    await pace.step();
  }
  const use = model.useOf(await model.spikeCounts(), writing.read, inFront);
  return inferResponse({
    id: draft.id,
    record: entry.record,
    promptTokens: draft.promptTokens,
    text,
    completion,
    reason: writing.reason ?? 'cancelled',
    seed: draft.seed,
    batch: 1,
    use,
    raster: writing.raster(),
    classes: classes?.told(),
    arrivedAt: askedAt,
    askedAt,
    beganAt,
  });
}

/** What a classifier says, whole. @throws Problem validation_failed for what it cannot be shown */
export async function tellClass(
  { entry }: Held,
  loaded: LoadedClasses,
  { request, id, askedAt }: { readonly request: InferRequest; id: string; askedAt: number },
): Promise<ClassResponse> {
  const { model, labels } = loaded;
  const media = shownTo(request, loaded, nameOf(entry.record));
  const beganAt = performance.now();
  const { probabilities, use } = await model.answer(media);
  return classResponse({
    id,
    record: entry.record,
    reason: 'stop',
    labels,
    probabilities,
    use,
    batch: 1,
    arrivedAt: askedAt,
    askedAt,
    beganAt,
  });
}

/** Reads what stands in front of a text; its classes are those of the text, where it has none of its own. */
async function beginText({ model, labels }: LoadedText, { prefix }: Sequence) {
  model.clear(0);
  const inFront = prefix && (await model.prime?.(0, prefix));
  const { classScores } = model;
  if (!classScores || labels.length === 0) return { inFront };
  let probabilities: readonly number[] | undefined;
  const ask = async () => {
    probabilities ??= softmax(await classScores(0));
  };
  if (inFront) await ask();
  return { inFront, classes: { ask, told: () => ({ probabilities, labels }) } };
}

async function readNext({ model }: LoadedText, writing: Writing): Promise<void> {
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
