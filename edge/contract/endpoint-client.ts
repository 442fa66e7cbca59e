import {
  type AnswerOf,
  type Content,
  type Endpoint,
  isSchema,
  type ParamsOf,
  type Schema,
} from './endpoint.ts';
import { bodyOf, type CallOptions, checked, type Http, queryOf } from './http-client.ts';
import type * as z from 'zod/mini';

type Query = Parameters<typeof queryOf>[0];

type Asked<P extends Endpoint> = CallOptions & {
  readonly headers?: Readonly<Record<string, string>>;
} & (P['path'] extends `${string}:${string}`
    ? { readonly params: ParamsOf<P['path']> }
    : { readonly params?: undefined }) &
  (P extends { readonly query: Schema }
    ? { readonly query?: Query }
    : { readonly query?: undefined }) &
  (P extends { readonly body: infer S extends Schema }
    ? { readonly body: z.input<S> }
    : { readonly body?: undefined });

export interface Answered<P extends Endpoint> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerOf<P>;
}

/**
 * Calls one endpoint of a service with JSON, and parses what it answers by the endpoint's schemas.
 * A documented status is an answer, whatever its number; every other is a refusal.
 *
 * @throws ProblemError for a refusal, and invalid_answer for an answer of another form; what fetch
 *   throws where nothing answered
 */
export async function callEndpoint<P extends Endpoint>(
  http: Http,
  endpoint: P,
  asked: Asked<P>,
): Promise<Answered<P>> {
  const { params = {}, query = {}, body, headers, signal } = asked;
  const url = http.base + pathOf(endpoint.path, params) + queryOf(query);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await http.fetch(url, {
    method: endpoint.method,
    headers: { ...http.headers, ...type, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const content: Content | undefined = endpoint.responses[answer.status];
  if (content === undefined) await checked(answer);
  const isJson = content !== undefined && content !== null && isSchema(content);
  return {
    status: answer.status,
    headers: answer.headers,
    // The status chose the schema; the union over all statuses is what the caller sees.
    body: (isJson ? await bodyOf(answer, content) : undefined) as AnswerOf<P>,
  };
}

/** A path with its segments filled in, such as `/models/tiny` of `/models/:id`. */
export function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:([a-z_]+)/gi, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${path} needs a value for ${name}`);
    return encodeURIComponent(value);
  });
}
