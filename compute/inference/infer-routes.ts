import type { BatchResponse, InferRequest } from '../../edge/inference/contract/infer.ts';
import { inferenceEndpoints } from '../../edge/inference/endpoints.ts';
import {
  invalid,
  type Occurrence,
  Problem,
  problemDocument,
  problemOf,
} from '../../edge/contract/refusal.ts';
import { teamSeen } from '../../edge/http/ownership.ts';
import { type CallOf, type HandlerOf, routesOf } from '../../edge/http/route.ts';
import { createTextStream } from '../../edge/http/text-stream.ts';
import { ulid } from '../../edge/http/ulid.ts';
import { beginInference, infer, type InferenceEnv } from './service.ts';

const { infer: inferEndpoint, inferV1, batchInfer } = inferenceEndpoints;

const answer: HandlerOf<InferenceEnv, typeof inferEndpoint> = async (call) => {
  const { env, request, body, caller } = call;
  if (body.stream) return streamed(call);
  const asking = { signal: request.signal, team: teamSeen(caller) };
  return { status: 200, body: await infer(env, body, asking) };
};

type Routes = Pick<typeof inferenceEndpoints, 'infer' | 'inferV1' | 'batchInfer'>;

/** Asking models, whole or token by token. */
export const inferRoutes = routesOf<InferenceEnv, Routes>(
  { infer: inferEndpoint, inferV1, batchInfer },
  { infer: answer, inferV1: answer, batchInfer: answerAll },
);

/** A refusal before the first token is a problem document; a later one is the last event. */
async function streamed(call: CallOf<InferenceEnv, typeof inferEndpoint>): Promise<Response> {
  const gone = new AbortController();
  const stream = createTextStream(occurrenceOf(call), () => gone.abort());
  const { id, answer: whole } = await beginInference(call.env, call.body, {
    isStreamed: true,
    onText: stream.write,
    signal: AbortSignal.any([gone.signal, call.request.signal]),
    team: teamSeen(call.caller),
  });
  stream.endWith(id, whole);
  return stream.response;
}

type BatchCall = CallOf<InferenceEnv, typeof batchInfer>;

async function answerAll(
  call: BatchCall,
): Promise<{ readonly status: 200; readonly body: BatchResponse }> {
  const { body, request, caller } = call;
  refuseStreams(body.requests);
  const givenUp = new AbortController();
  const signal = AbortSignal.any([givenUp.signal, request.signal]);
  const asking = { signal, team: teamSeen(caller) };
  let firstFailed: number | undefined;
  const results = await Promise.all(
    body.requests.map(async (one, index) => {
      try {
        const response = await infer(call.env, one, asking);
        if (response.finish_reason !== 'cancelled') return { index, status: 200, response };
        throw new Problem('precondition_failed', `Given up, as request ${firstFailed} failed.`);
      } catch (error) {
        const problem = problemDocument(problemOf(error), occurrenceOf(call));
        firstFailed ??= index;
        if (body.fail_fast) givenUp.abort();
        return { index, status: problem.status, error: problem };
      }
    }),
  );
  const succeeded = results.filter(({ status }) => status === 200).length;
  const failed = results.length - succeeded;
  const { id = `batch_${ulid()}` } = body;
  return { status: 200, body: { id, results, succeeded, failed } };
}

function refuseStreams(requests: readonly InferRequest[]): void {
  const index = requests.findIndex(({ stream }) => stream);
  if (index < 0) return;
  const pointer = `/requests/${index}/stream`;
  const detail = 'a batch is answered as a whole: expected false (got true)';
  throw invalid(pointer, 'invalid_value', detail);
}

function occurrenceOf({
  prefix,
  url,
  trace,
}: Pick<BatchCall, 'prefix' | 'url' | 'trace'>): Occurrence {
  return { instance: prefix + url.pathname, traceId: trace.traceId };
}
