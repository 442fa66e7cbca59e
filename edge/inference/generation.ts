import { EDGE_MAX_LENGTH, EDGE_MAX_PROMPT } from './edge-endpoints.ts';
import type { ClassResponse, InferRequest, InferResponse } from './contract/infer.ts';
import { invalid } from '../contract/refusal.ts';
import { checkRaster, classResponse, inferResponse } from '../http/infer-response.ts';
import { randomBytes } from '../http/random.ts';
import { ulid } from '../http/ulid.ts';
import {
  CAPTION_MARK,
  checkMedia,
  decodePng,
  decodeWav,
  isPrefixedSpec,
  type Media,
  mediaOf,
  prefixInputsOf,
  type Sequence,
  shownMedia,
  softmax,
  Writing,
} from '../../engine/inference.ts';
import { type LoadedClasses, type LoadedText, nameOf } from './loaded-model.ts';
import type { Held } from './model-cache.ts';
import {
  checkInputs,
  decodedMedia,
  encodePrompt,
  encodeStops,
  explained,
  modelInputsOf,
  promptTokensOf,
} from './contract/request-inputs.ts';

/** The client of a text that is being generated. */
export interface TextClient {
  /** Throws where the deadline has passed. */
  check(): void;
  /** Whether the client has hung up, which ends the text. */
  hasGone(): boolean;
  onText(text: string): void;
}

/** A text that can be written: the request fits the model. */
interface TextJob {
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

/** @throws Problem validation_failed for a character outside the vocabulary, or too large an image */
export function textJobOf({ entry }: Held, loaded: LoadedText, request: InferRequest): TextJob {
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

/** Writes the text, in slices. @throws what the client's `check` throws */
export async function writeText(
  { entry }: Held,
  loaded: LoadedText,
  job: TextJob,
  { client, askedAt }: { readonly client: TextClient; readonly askedAt: number },
): Promise<InferResponse> {
  const { model, tokenizer } = loaded;
  const writing = new Writing(job.sequence, tokenizer);
  const pace = new Pace();
  const beganAt = performance.now();
  let text = '';
  let completion = 0;
  const { prefixed, classes } = await beginText(loaded, job.sequence);
  while (writing.reason === undefined && !client.hasGone()) {
    client.check();
    await readNext(loaded, writing);
    if (writing.read === job.sequence.prompt.length) await classes?.classify();
    const piece = writing.take();
    completion += piece.tokens;
    text += piece.text;
    if (piece.text !== '') client.onText(piece.text);
    await pace.step();
  }
  const use = model.useOf(await model.spikeCounts(), writing.read, prefixed);
  return inferResponse({
    id: job.id,
    record: entry.record,
    promptTokens: job.promptTokens,
    text,
    completion,
    reason: writing.reason ?? 'cancelled',
    seed: job.seed,
    batch: 1,
    use,
    raster: writing.raster(),
    classes: classes?.result(),
    arrivedAt: askedAt,
    askedAt,
    beganAt,
  });
}

/** The predictions of a classifier. @throws Problem validation_failed for unsuitable inputs */
export async function predictClasses(
  { entry }: Held,
  loaded: LoadedClasses,
  { request, id, askedAt }: { readonly request: InferRequest; id: string; askedAt: number },
): Promise<ClassResponse> {
  const { model, labels } = loaded;
  const media = mediaFor(request, loaded, nameOf(entry.record));
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

/** Reads the prefix of a text; the classes are those of the prefix where the text has none of its own. */
async function beginText({ model, labels }: LoadedText, { prefix }: Sequence) {
  model.clear(0);
  const prefixed = prefix && (await model.prime?.(0, prefix));
  const { classScores } = model;
  if (!classScores || labels.length === 0) return { prefixed };
  let probabilities: readonly number[] | undefined;
  const classify = async () => {
    probabilities ??= softmax(await classScores(0));
  };
  if (prefixed) await classify();
  return { prefixed, classes: { classify, result: () => ({ probabilities, labels }) } };
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

const decoders = { decodePng, decodeWav };

/** The inputs of a model for a request, and its stop sequences. */
interface TextRequest extends Pick<Sequence, 'prompt' | 'prefix' | 'stops'> {
  /** Tokens of the prompt as given. */
  readonly promptTokens: number;
}

/** @throws Problem validation_failed for what the model cannot read */
function textRequestOf(
  { inputs, config }: InferRequest,
  { spec, tokenizer }: LoadedText,
  model: string,
): TextRequest {
  checkInputs(inputs, modelInputsOf(spec), model);
  const mark = isPrefixedSpec(spec) ? CAPTION_MARK : undefined;
  const prompt = encodePrompt(tokenizer, inputs, { model, mark });
  const media = decodedMedia(inputs, decoders);
  const prefix =
    isPrefixedSpec(spec) &&
    explained(media.sound ? 'audio' : 'image', () => prefixInputsOf(spec, media));
  return {
    prompt,
    ...(prefix && { prefix }),
    stops: encodeStops(mark === undefined ? config.stop : [...config.stop, mark]),
    promptTokens: promptTokensOf({ inputs }, prompt, mark),
  };
}

/** The inputs of a classifier. @throws Problem validation_failed for unsuitable ones */
function mediaFor({ inputs }: InferRequest, { spec }: LoadedClasses, model: string): Media {
  checkInputs(inputs, modelInputsOf(spec), model);
  const media = shownMedia(decodedMedia(inputs, decoders));
  explained(mediaOf(spec), () => checkMedia(spec, media));
  return media;
}

/** How long the isolate may be blocked for other requests. */
const SLICE_MS = 20;
/** A slice is no longer than this, however quick its tokens seem. */
const MAX_TOKENS = 256;

/**
 * Lets other requests run after every slice of some 20 ms. In production the clock only advances with I/O,
 * so the duration of a slice is known after it, and determines the number of tokens in the next one.
 */
class Pace {
  #perSlice = 1;
  #tokens = 0;
  #began = performance.now();

  /** A token was read. */
  async step(): Promise<void> {
    this.#tokens += 1;
    if (this.#tokens < this.#perSlice) return;
    await scheduler.wait(0);
    const now = performance.now();
    const fitting = (this.#tokens * SLICE_MS) / Math.max(0.1, now - this.#began);
    this.#perSlice = Math.max(1, Math.min(Math.floor(fitting), 2 * this.#perSlice, MAX_TOKENS));
    this.#tokens = 0;
    this.#began = now;
  }
}
