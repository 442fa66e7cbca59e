import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { callEndpoint, type Http, openHttp, openStream } from '../../edge/contract/client.ts';
import { readEvents } from '../../edge/contract/event-stream.ts';
import {
  type ClassResponse,
  type InferAnswer,
  InferChunk,
  type InferRequestInput,
  InferResponse,
} from '../../edge/inference/contract/infer.ts';
import { inferenceEndpoints } from '../../edge/inference/endpoints.ts';
import { ProblemDocument } from '../../edge/contract/problem.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { atGateway, type GatewayOptions, keyHeaders } from './gateway-access.ts';
import { numberOption } from './numbers.ts';

interface InferOptions extends GatewayOptions {
  readonly model: string;
  readonly alias?: string;
  readonly prompt: string;
  readonly image?: string;
  readonly audio?: string;
  readonly tokens: number;
  readonly temperature: number;
  readonly topK: number;
  readonly topP: number;
  readonly seed?: number;
  readonly stop: readonly string[];
  readonly stream?: true;
  readonly json?: true;
}

export function inferCommand(): Command {
  return atGateway(new Command('infer'), 'infer')
    .requiredOption('--model <id>', 'a registered model: id or id@version')
    .option('--alias <alias>', 'use the version with this alias')
    .option('--prompt <text>', 'prompt to continue', '')
    .option('--image <file>', 'image to classify or caption: a PNG file')
    .option('--audio <file>', 'audio to classify or caption: a WAV file')
    .option('--tokens <n>', 'number of characters', numberOption, 64)
    .option('--temperature <t>', 'sampling temperature; 0 is greedy', numberOption, 0.8)
    .option('--top-k <k>', 'sample from the k likeliest tokens; 0 for all', numberOption, 0)
    .option(
      '--top-p <p>',
      'sample from the likeliest tokens up to this probability',
      numberOption,
      1,
    )
    .option('--seed <n>', 'random seed; the same seed gives the same text', numberOption)
    .option('--stop <text>', 'stop sequence; may be repeated', appended, [])
    .option('--stream', 'stream the text as it is generated')
    .option('--json', 'print the whole response as one line of JSON')
    .action(infer);
}

const appended = (text: string, before: readonly string[]): readonly string[] => [...before, text];

async function infer(options: InferOptions): Promise<void> {
  const { gateway, key, prompt, json, stream } = options;
  const http = openHttp({
    base: `${gateway.replace(/\/+$/, '')}/inference`,
    headers: keyHeaders(key),
  });
  const body = await requestOf(options);
  if (!stream || json) {
    const asked = await callEndpoint(http, inferenceEndpoints.infer, { body });
    if (json) console.log(JSON.stringify(asked.body));
    present(asked.body, { prompt, isPrinted: !json });
    return;
  }
  let isFirst = true;
  const whole = await streamed(http, body, (delta) => {
    process.stdout.write(isFirst ? prompt + delta : delta);
    isFirst = false;
  });
  process.stdout.write('\n');
  presentClasses(whole, true);
  summarise(whole);
}

async function requestOf(options: InferOptions): Promise<InferRequestInput> {
  const { model, alias, tokens, temperature, topK, topP, seed, stop } = options;
  const [model_id = '', version] = model.split('@');
  return {
    model_id,
    ...(version !== undefined && { version }),
    ...(alias !== undefined && { alias }),
    inputs: await inputsOf(options),
    config: {
      max_length: tokens,
      temperature,
      top_k: topK,
      top_p: topP,
      stop: [...stop],
      ...(seed !== undefined && { seed }),
    },
  };
}

const base64 = async (file: string) => (await readFile(file)).toString('base64');

/** The prompt; an empty one where nothing else was given. */
async function inputsOf({ prompt, image, audio }: InferOptions) {
  const isAlone = image === undefined && audio === undefined;
  return {
    ...((isAlone || prompt !== '') && { text: prompt }),
    ...(image !== undefined && { image: await base64(image) }),
    ...(audio !== undefined && { audio: await base64(audio) }),
  };
}

/** Prints what was answered, where it is printed, and says what it took. */
function present(
  answer: InferAnswer,
  { prompt, isPrinted }: { readonly prompt: string; readonly isPrinted: boolean },
): void {
  if (isClassified(answer)) {
    presentClasses(answer, isPrinted);
    summariseClasses(answer);
    return;
  }
  if (isPrinted) console.log(prompt + answer.outputs.text);
  presentClasses(answer, isPrinted);
  summarise(answer);
}

const isClassified = (answer: InferAnswer): answer is ClassResponse => !('text' in answer.outputs);

/** Classes that are printed: the likeliest ones. */
const MAX_CLASSES = 5;

/** The likeliest classes, of a model that tells any. */
function presentClasses({ outputs }: InferAnswer, isPrinted: boolean): void {
  if (!isPrinted) return;
  for (const { label, probability } of outputs.classes?.slice(0, MAX_CLASSES) ?? []) {
    console.log(`${(100 * probability).toFixed(1).padStart(5)} %  ${label}`);
  }
}

function summariseClasses({ model_id, model_version, timing, spikes }: ClassResponse): void {
  console.error(
    `told by ${model_id}@${model_version} in ${timing.total_ms.toFixed(0)} ms; ` +
      spikesSentence(spikes),
  );
}

/** A network of numbers has none to count. */
function spikesSentence({ total, rate }: InferAnswer['spikes']): string {
  if (total === null || rate === null) return 'no neuron fires';
  return `${total} spikes, ${(100 * rate).toFixed(1)} % firing`;
}

/** Hands on each piece of the text; gives the whole answer. @throws ProblemError also where it fails late */
async function streamed(
  http: Http,
  body: InferRequestInput,
  show: (delta: string) => void,
): Promise<InferResponse> {
  const answer = await openStream(http, inferenceEndpoints.infer, {
    body: { ...body, stream: true },
  });
  let whole: InferResponse | undefined;
  for await (const { event, data } of readEvents(answer)) {
    if (event === 'error') throw new ProblemError(ProblemDocument.parse(JSON.parse(data)));
    if (event === 'done') whole = InferResponse.parse(JSON.parse(data));
    else if (data !== '[DONE]') show(InferChunk.parse(JSON.parse(data)).delta);
  }
  if (whole) return whole;
  throw new Error('the response ended early');
}

function summarise({ model_id, model_version, usage, timing, spikes, seed }: InferResponse): void {
  const perSecond = (1000 * usage.completion_tokens) / Math.max(1, timing.compute_ms);
  console.error(
    `${usage.completion_tokens} characters of ${model_id}@${model_version} in ${timing.total_ms.toFixed(0)} ms ` +
      `(${perSecond.toFixed(0)} a second, ${timing.queue_ms.toFixed(0)} ms in the queue), seed ${seed}; ` +
      spikesSentence(spikes),
  );
}
