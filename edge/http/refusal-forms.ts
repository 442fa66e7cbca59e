import type { RefusalForm } from '../contract/endpoint.ts';
import { InferenceError } from '../inference/contract/open-inference.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { QueryError } from '../promql/endpoints.ts';
import { RpcStatus } from '../otlp/endpoints.ts';
import { problemOf } from '../contract/refusal.ts';
import { rpcStatusOf, rpcStatusResponse, statusWithout422 } from './rpc-status.ts';

/** How refusals look where the standard of another protocol says so. */
interface FormOfRefusals {
  statusOf(code: ProblemCode): number;
  respond(error: unknown, request: Request): Response;
  /** The JSON of a refusal with our code. */
  bodyOf(code: ProblemCode, message: string): object;
  /** The schema of that JSON. */
  readonly schema: typeof RpcStatus | typeof QueryError | typeof InferenceError;
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

type JsonForm = Pick<FormOfRefusals, 'statusOf' | 'bodyOf'>;

/** Responds with JSON of a form. */
const jsonOf =
  ({ statusOf, bodyOf }: JsonForm) =>
  (error: unknown): Response => {
    const { code, message, extras } = problemOf(error);
    const init = { status: statusOf(code), headers: { ...extras.headers } };
    return Response.json(bodyOf(code, message), init);
  };

const prometheus: JsonForm = { statusOf: (code) => PROBLEMS[code].status, bodyOf: queryErrorOf };
const openInference: JsonForm = {
  statusOf: statusWithout422,
  bodyOf: (_, error): InferenceError => ({ error }),
};

export const REFUSAL_FORMS: Readonly<Record<RefusalForm, FormOfRefusals>> = {
  'rpc-status': {
    statusOf: statusWithout422,
    respond: rpcStatusResponse,
    bodyOf: rpcStatusOf,
    schema: RpcStatus,
  },
  prometheus: {
    ...prometheus,
    respond: jsonOf(prometheus),
    schema: QueryError,
  },
  'open-inference': {
    ...openInference,
    respond: jsonOf(openInference),
    schema: InferenceError,
  },
};
