import { queryOptions } from '@tanstack/react-query';
import { clientOf } from '../../edge/contract/client.ts';
import { readEvents } from '../../edge/contract/event-stream.ts';
import {
  InferAnswer,
  InferChunk,
  type InferRequestInput,
} from '../../edge/inference/contract/infer.ts';
import { inferenceEndpoints } from '../../edge/inference/endpoints.ts';
import type { LoadAnswer, LoadRequestInput } from '../../edge/inference/contract/loaded-model.ts';
import { ProblemDocument } from '../../edge/contract/problem.ts';
import {
  ProblemError,
  problemErrorOf,
  invalidResponse,
} from '../../edge/contract/problem-error.ts';
import { serviceHttp } from './service-http.ts';

/** Where the inference service is behind the gateway. */
export const INFERENCE_PATH = '/inference';

const inference = serviceHttp(INFERENCE_PATH);
const inferenceApi = clientOf(inferenceEndpoints, inference);

const LOADED_EVERY_MS = 4_000;
const LOADED_KEY = ['inference', 'models'] as const;

/** The models in the cache of the inference service; refused where there is no such service. */
export const loadedModelsQuery = queryOptions({
  queryKey: LOADED_KEY,
  queryFn: ({ signal }) => inferenceApi.loadedModels({ signal }),
  refetchInterval: LOADED_EVERY_MS,
});

/** Loads a model beforehand, or pins one that is loaded. */
export const loadModel = (id: string, body: LoadRequestInput): Promise<LoadAnswer> =>
  inferenceApi.loadModel({ params: { id }, body });

export const unloadModel = (id: string, version: string): Promise<LoadAnswer> =>
  inferenceApi.unloadModel({ params: { id }, query: { version } });

/** A refusal that says when asking again is worth while. */
export class RetryLater extends ProblemError {
  readonly afterS: number;

  constructor({ problem }: ProblemError, afterS: number) {
    super(problem);
    this.afterS = afterS;
  }
}

export interface Streaming {
  readonly signal: AbortSignal;
  /** Called with each piece of the text. */
  readonly onText: (delta: string) => void;
}

/**
 * Runs an inference and streams its output.
 *
 * @throws ProblemError for a refusal, before or amid the text, RetryLater where it names a time;
 *   TypeError where nothing answered or the connection broke
 */
export async function streamInfer(
  request: InferRequestInput,
  { signal, onText }: Streaming,
): Promise<InferAnswer> {
  const { path, method } = inferenceEndpoints.infer;
  const answer = await inference.fetch(inference.base + path, {
    method,
    headers: { ...inference.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, stream: true }),
    signal,
  });
  if (!answer.ok) throw await refusalOf(answer);
  for await (const { event, data } of readEvents(answer)) {
    if (event === 'done') return parsed(answer, InferAnswer, data);
    if (event === 'error') throw new ProblemError(parsed(answer, ProblemDocument, data));
    if (event === 'message') onText(parsed(answer, InferChunk, data).delta);
  }
  throw new TypeError('The stream ended before the answer did');
}

async function refusalOf(answer: Response): Promise<ProblemError> {
  const refusal = await problemErrorOf(answer);
  const after = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(after) ? new RetryLater(refusal, after) : refusal;
}

interface Parser<T> {
  safeParse(value: unknown): { readonly success: boolean; readonly data?: T };
}

function parsed<T>(answer: Response, schema: Parser<T>, data: string): T {
  const { data: value } = schema.safeParse(jsonOf(data));
  if (value === undefined) throw invalidResponse(answer, `not an event of the contract: ${data}`);
  return value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
