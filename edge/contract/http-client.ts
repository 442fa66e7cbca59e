import * as z from 'zod/mini';
import { problemErrorOf, strangeAnswer } from './problem-error.ts';

export interface HttpOptions {
  /** Where the service is: `/registry` behind the gateway, or an address such as http://127.0.0.1:8003. */
  readonly base: string;
  /** Sent with every request, such as `authorization`. */
  readonly headers?: Record<string, string>;
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** How the clients of this contract send requests. */
export interface Http {
  readonly base: string;
  readonly headers: Record<string, string>;
  readonly fetch: typeof fetch;
}

export function openHttp({ base, headers = {}, fetch: fetcher }: HttpOptions): Http {
  // Taken from the global scope at each call: a browser's fetch does not work as a method.
  return { base, headers, fetch: fetcher ?? ((...args) => fetch(...args)) };
}

/** Fetches a path of the service. @throws ProblemError for every answer that is not a success */
export async function call(
  { base, headers, fetch: fetcher }: Http,
  path: string,
  init: CallOptions & { readonly json?: unknown } = {},
): Promise<Response> {
  const { signal, json } = init;
  const post = { method: 'POST', body: JSON.stringify(json) };
  return checked(
    await fetcher(base + path, {
      ...(json !== undefined && post),
      ...(signal && { signal }),
      headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    }),
  );
}

export async function checked(answer: Response): Promise<Response> {
  if (!answer.ok) throw await problemErrorOf(answer);
  return answer;
}

/** The body of an answer by its schema. @throws ProblemError invalid_answer where it has another form */
export async function bodyOf<S extends z.ZodMiniType>(
  answer: Response,
  schema: S,
): Promise<z.output<S>> {
  const parsed = z.safeParse(schema, await answer.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw strangeAnswer(answer, z.prettifyError(parsed.error));
}

type QueryValue = string | number | readonly string[] | undefined;

/** A query string with its question mark; empty where nothing is given. A list repeats its name. */
export function queryOf(values: Readonly<Record<string, QueryValue>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    for (const item of [value].flat()) query.append(name, String(item));
  }
  return query.size > 0 ? `?${query}` : '';
}
