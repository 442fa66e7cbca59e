import * as z from 'zod/mini';
import {
  type ResponseBody,
  type BodyOf,
  type Endpoint,
  type Endpoints,
  isSchema,
  type ParamsOf,
  type QueryOf,
} from '../contract/endpoint.ts';
import { readJson, readJsonIfAny } from './body.ts';
import type { Call } from './call.ts';
import { parseBody, parseQuery } from '../contract/parse.ts';

/** A call of one endpoint, its path, query and JSON body parsed by the endpoint's schemas. */
export type CallOf<E, P extends Endpoint> = Omit<Call<E>, 'params'> & {
  readonly params: ParamsOf<P['path']>;
  readonly query: QueryOf<P>;
  readonly body: BodyOf<P>;
};

/** A JSON answer with one of the endpoint's statuses. */
export type ReplyOf<P extends Endpoint> = {
  readonly [S in keyof P['responses'] & number]: {
    readonly status: S;
    readonly body: ResponseBody<P, S>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof P['responses'] & number];

/** Answers one endpoint; a `Response` of its own where the answer is not JSON. */
export type HandlerOf<E, P extends Endpoint> = (
  call: CallOf<E, P>,
) => Response | ReplyOf<P> | Promise<Response | ReplyOf<P>>;

/** One row of a service's table of routes: an endpoint of the contract and what answers it. */
export interface Route<E> {
  readonly endpoint: Endpoint;
  readonly handle: (call: Call<E>) => Promise<Response>;
}

/** Joins endpoints with their handlers; the compiler lists those that have none. */
export function routesOf<E, const T extends Endpoints>(
  endpoints: T,
  handlers: { readonly [K in keyof T]: HandlerOf<E, T[K]> },
): readonly Route<E>[] {
  return Object.entries(endpoints).map(([name, endpoint]) => {
    // The mapped type ties each handler to its endpoint; a walk over names cannot show that.
    const handler = handlers[name] as unknown as HandlerOf<E, Endpoint>;
    return { endpoint, handle: (call) => handle(endpoint, handler, call) };
  });
}

/** Where nothing may be asked, a name in the query is refused, not ignored. */
const NO_QUERY = z.strictObject({});

async function handle<E>(
  endpoint: Endpoint,
  handler: HandlerOf<E, Endpoint>,
  call: Call<E>,
): Promise<Response> {
  const query = parseQuery(endpoint.query ?? NO_QUERY, call.url, endpoint.lists);
  const { body: wanted, bodyOptional, maxBodyBytes } = endpoint;
  const read = bodyOptional ? readJsonIfAny : readJson;
  const body =
    wanted && isSchema(wanted)
      ? parseBody(wanted, await read(call.request, maxBodyBytes))
      : undefined;
  const answer = await handler({ ...call, query, body } as CallOf<E, Endpoint>);
  return answer instanceof Response ? answer : replyResponse(answer);
}

function replyResponse({ status, body, headers }: ReplyOf<Endpoint>): Response {
  if (body === undefined) return new Response(null, { status, ...(headers && { headers }) });
  return Response.json(body, { status, ...(headers && { headers }) });
}
