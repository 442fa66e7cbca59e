import type { Endpoint } from '../contract/endpoint.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { QueryError } from '../promql/endpoints.ts';
import { RpcStatus } from '../otlp/endpoints.ts';
import { problemOf } from '../contract/refusal.ts';
import { rpcHttpStatus, rpcStatusOf, rpcStatusResponse } from './rpc-status.ts';

/** How the refusals of some endpoints look, where a standard of others says so. */
export interface RefusalForm {
  statusOf(code: ProblemCode): number;
  respond(error: unknown, request: Request): Response;
  /** The JSON of a refusal with our code. */
  bodyOf(code: ProblemCode, message: string): object;
  /** What describes that JSON. */
  readonly schema: typeof RpcStatus | typeof QueryError;
}

const ERROR_TYPES: Readonly<Record<number, QueryError['errorType']>> = {
  404: 'not_found',
  422: 'execution',
  429: 'unavailable',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
};

const queryErrorOf = (code: ProblemCode, error: string): QueryError => ({
  status: 'error',
  errorType: ERROR_TYPES[PROBLEMS[code].status] ?? 'bad_data',
  error,
  code,
});

export const REFUSAL_FORMS: Readonly<Record<NonNullable<Endpoint['refusals']>, RefusalForm>> = {
  'rpc-status': {
    statusOf: rpcHttpStatus,
    respond: rpcStatusResponse,
    bodyOf: rpcStatusOf,
    schema: RpcStatus,
  },
  prometheus: {
    statusOf: (code) => PROBLEMS[code].status,
    respond(error) {
      const { code, message, extras } = problemOf(error);
      const { status } = PROBLEMS[code];
      return Response.json(queryErrorOf(code, message), { status, headers: { ...extras.headers } });
    },
    bodyOf: queryErrorOf,
    schema: QueryError,
  },
};
