import type { Http } from '../../edge/contract/client.ts';
import { type ProblemCode, PROBLEMS } from '../../edge/contract/problem.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import type { Call } from '../../edge/http/call.ts';
import type { Context } from './context.ts';

type From = Pick<Call<Context>, 'request' | 'env' | 'trace'>;

/**
 * The training service as who calls may use it: with the credentials that came along, else with this
 * server's own: for calls from this machine, and to look up what whoever the gateway names may see.
 */
export function trainingFor({ request, env, trace }: From): Http {
  const authorization = request.headers.get('authorization');
  const { base, fetch, headers } = env.training;
  const traced = { 'x-request-id': trace.requestId, traceparent: trace.traceparent };
  const credentials = authorization === null ? headers : { authorization };
  return { base, fetch, headers: { ...credentials, ...traced } };
}

/** The registry behind the same gateway, with the same credentials. */
export function registryFor(from: From): Http {
  const training = trainingFor(from);
  return { ...training, base: training.base.replace(/\/training$/, '/registry') };
}

/** Waits for an answer of the gateway; a refusal there is one here. @throws Problem */
export async function relayed<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProblemError) throw refusalOf(error);
    const why = error instanceof Error ? error.message : String(error);
    throw new Problem('upstream_error', `The gateway does not answer: ${why}.`);
  }
}

/** Members that every problem document has, or that are this server's own to say. */
const STANDARD: ReadonlySet<string> = new Set(
  'type title status detail instance code errors trace_id retryable'.split(' '),
);

function refusalOf({ problem }: ProblemError): Problem {
  const { code, detail, errors } = problem;
  if (!isKnown(code)) return new Problem('upstream_error', detail);
  const members = Object.entries(problem).filter(([name]) => !STANDARD.has(name));
  return new Problem(code, detail, {
    ...(errors && { errors }),
    members: Object.fromEntries(members),
  });
}

const isKnown = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);
