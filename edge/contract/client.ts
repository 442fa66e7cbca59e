import * as z from 'zod/mini';
import {
  type Content,
  type Endpoint,
  type Endpoints,
  isSchema,
  type Media,
  type ParamsOf,
  type Schema,
} from './endpoint.ts';
import { problemErrorOf, invalidResponse } from './problem-error.ts';

export interface HttpOptions {
  /** Where the service is: `/registry` behind the gateway, or an address such as http://127.0.0.1:8003. */
  readonly base: string;
  /** Sent with every request, such as `authorization`. */
  readonly headers?: Record<string, string>;
  readonly fetch?: typeof fetch;
}

/** How requests to one service are sent. */
export type Http = Required<HttpOptions>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

type QueryValue = string | number | readonly string[] | undefined;

/** Numbers need not be text, and what is left out has its default. */
type QueryInput<S extends Schema> = { readonly [K in keyof z.input<S>]: QueryValue };

type Params<P extends Endpoint> = P['path'] extends `${string}:${string}`
  ? { readonly params: ParamsOf<P['path']> }
  : { readonly params?: undefined };

type Query<P extends Endpoint> = P extends { readonly query: infer S extends Schema }
  ? Record<never, never> extends z.input<S>
    ? { readonly query?: QueryInput<S> | undefined }
    : { readonly query: QueryInput<S> }
  : { readonly query?: undefined };

type Body<P extends Endpoint> = P extends { readonly body: infer B }
  ? B extends Schema
    ? P extends { readonly bodyOptional: true }
      ? { readonly body?: z.input<B> }
      : { readonly body: z.input<B> }
    : { readonly body?: BodyInit }
  : { readonly body?: undefined };

/** Input of a call. A body that is not JSON has the first media type of its endpoint. */
export type CallInput<P extends Endpoint> = CallOptions & {
  readonly headers?: Readonly<Record<string, string>>;
} & Params<P> &
  Query<P> &
  Body<P>;

type ResultOf<C> = C extends Schema ? z.output<C> : C extends null ? undefined : Response;

type Responses<P extends Endpoint> = P['responses'];

/** Result of a call: JSON by its schema, undefined for no content, else the response itself. */
type Result<P extends Endpoint> = {
  // 304 answers only those who sent an ETag.
  [S in Exclude<keyof Responses<P> & number, 304>]: ResultOf<Responses<P>[S]>;
}[Exclude<keyof Responses<P> & number, 304>];

export interface Answered<P extends Endpoint> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Result<P>;
}

/** The calls of a table of endpoints, by their names. Each throws as `callEndpoint`. */
export type Client<T extends Endpoints> = {
  readonly [K in keyof T]: (
    ...input: Record<never, never> extends CallInput<T[K]>
      ? [input?: CallInput<T[K]>]
      : [input: CallInput<T[K]>]
  ) => Promise<Result<T[K]>>;
};

/** A client of the endpoints that a service at `base` serves. */
export function clientOf<T extends Endpoints>(endpoints: T, options: HttpOptions): Client<T> {
  const http = openHttp(options);
  const calls = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    async (input: AnyInput = {}) => (await request(http, endpoint, input)).body,
  ]);
  // Each call has the types of its own endpoint, which a walk over names cannot show.
  return Object.fromEntries(calls) as Client<T>;
}

export function openHttp({ base, headers = {}, fetch: fetcher }: HttpOptions): Http {
  // Taken from the global scope at each call: a browser's fetch does not work as a method.
  return { base, headers, fetch: fetcher ?? ((...args) => fetch(...args)) };
}

/**
 * Calls one endpoint, for callers that want the status or the headers, too. A documented status is an
 * answer, whatever its number; every other is a refusal.
 *
 * @throws ProblemError for a refusal, and invalid_answer for an answer of another form; what fetch
 *   throws where nothing answered
 */
export async function callEndpoint<P extends Endpoint>(
  http: Http,
  endpoint: P,
  input: CallInput<P>,
): Promise<Answered<P>> {
  // The status chooses the schema; the union over all statuses is what the caller sees.
  return (await request(http, endpoint, input)) as Answered<P>;
}

/** The events of an endpoint that streams on request, from the first one on. @throws as `callEndpoint` */
export function openStream<P extends Endpoint>(
  http: Http,
  endpoint: P,
  input: CallInput<P>,
): Promise<Response> {
  const { headers, ...others }: AnyInput = input;
  const accepting = { ...headers, accept: 'text/event-stream' };
  return send(http, endpoint, { ...others, headers: accepting }).then(checked);
}

/** The address of an endpoint, with its path and query filled in. */
export function urlOf<P extends Endpoint>(
  { base }: Pick<Http, 'base'>,
  { path }: P,
  input: Params<P> & Query<P>,
): string {
  const { params = {}, query = {} }: AnyInput = input;
  return base + pathOf(path, params) + queryOf(query);
}

/** Input of a call of any endpoint. */
interface AnyInput extends CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
}

async function request(http: Http, endpoint: Endpoint, input: AnyInput) {
  const answer = await send(http, endpoint, input);
  const content: Content | undefined = endpoint.responses[answer.status];
  if (content === undefined) await checked(answer);
  const { status, headers } = answer;
  return { status, headers, body: await resultOf(answer, content) };
}

function send(
  { base, headers: own, fetch: fetcher }: Http,
  { method, path, body: wanted }: Endpoint,
  { params = {}, query = {}, body, headers, signal }: AnyInput,
): Promise<Response> {
  const sent = body === undefined ? {} : bodyAs(wanted, body);
  return fetcher(base + pathOf(path, params) + queryOf(query), {
    method,
    headers: { ...own, ...sent.headers, ...headers },
    ...('body' in sent && { body: sent.body }),
    ...(signal && { signal }),
  });
}

function bodyAs(
  wanted: Schema | Media | undefined,
  body: unknown,
): Pick<RequestInit, 'body'> & {
  readonly headers?: Readonly<Record<string, string>>;
} {
  if (!wanted || isSchema(wanted)) {
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  // A body that is not JSON is a BodyInit, by the type `CallInput`.
  return { headers: { 'content-type': wanted.media[0] }, body: body as BodyInit };
}

async function resultOf(answer: Response, content: Content | undefined): Promise<unknown> {
  if (!content) return undefined;
  return isSchema(content) ? bodyOf(answer, content) : checked(answer);
}

export async function checked(answer: Response): Promise<Response> {
  if (!answer.ok) throw await problemErrorOf(answer);
  return answer;
}

/** The body of an answer by its schema. @throws ProblemError invalid_answer where it has another form */
export async function bodyOf<S extends Schema>(answer: Response, schema: S): Promise<z.output<S>> {
  const parsed = z.safeParse(schema, await answer.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw invalidResponse(answer, z.prettifyError(parsed.error));
}

/** A path with its segments filled in, such as `/models/tiny` of `/models/:id`. */
export function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:([a-z_]+)/gi, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`${path} needs a value for ${name}`);
    return encodeURIComponent(value);
  });
}

/** A query string with its question mark; empty where nothing is given. A list repeats its name. */
export function queryOf(values: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    for (const item of [value].flat()) query.append(name, String(item));
  }
  return query.size > 0 ? `?${query}` : '';
}
