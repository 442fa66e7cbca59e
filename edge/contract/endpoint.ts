import type * as z from 'zod/mini';
import type { ProblemCode } from './problem.ts';
import type { Access } from './scope.ts';

export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Schema = z.ZodMiniType;

/** A body that is not JSON: bytes, a form, text, or an event stream. */
export interface Media {
  readonly media: readonly [string, ...string[]];
  /** Schema of JSON that a handler parses by itself. */
  readonly schema?: Schema;
}

/** The most a body may hold where its endpoint says nothing else. */
export const MAX_JSON_BYTES = 1024 * 1024;

/** Protocols of others that say what refusals look like. */
export type RefusalForm = 'rpc-status' | 'prometheus' | 'open-inference';

/** Limits that count the requests to some endpoints beside the limit of all requests. */
export type LimitName = 'train' | 'test-run';

/** Content of a response: JSON of a schema, other media, or none. */
export type Content = Schema | Media | null;

/**
 * One operation of a service: the single description that its handler, the typed clients and the
 * OpenAPI document are made from. Refusals that follow from it (credentials, limits, a query or a
 * body of another form) need no mention under `problems`.
 */
export interface Endpoint {
  readonly method: Method;
  /** Such as `/models/:id`; each `:name` is one segment. */
  readonly path: `/${string}`;
  /** One sentence, for people who read the API description. */
  readonly summary: string;
  readonly access: Access;
  /** An object schema over strings. Unknown names are refused. */
  readonly query?: Schema;
  /** Names in the query that may be repeated. */
  readonly lists?: readonly string[];
  /** A JSON body's schema, or the media types a handler reads by itself. */
  readonly body?: Schema | Media;
  /** A request without a body is one with `{}`. */
  readonly bodyOptional?: true;
  /** The most a body may hold; JSON without it at most MAX_JSON_BYTES, a repeated request too. */
  readonly maxBodyBytes?: number;
  /** Counts a caller's requests to all endpoints that name this limit. */
  readonly limit?: LimitName;
  readonly responses: Readonly<Record<number, Content>>;
  /** Other media that a status answers with where a request asks for them. */
  readonly also?: Readonly<Record<number, readonly string[]>>;
  readonly problems?: readonly ProblemCode[];
  /** The protocol whose form its refusals have: problem documents where it is left out. */
  readonly refusals?: RefusalForm;
  /** Names of request headers that mean something here, with one sentence each. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Those of them without which a request is refused. */
  readonly needs?: readonly string[];
  /** The response holds a secret that is shown once: it is not stored for a repeated Idempotency-Key. */
  readonly secret?: true;
  /** `Sunset` of a deprecated operation: a date. */
  readonly sunset?: string;
}

/** The operations of a service by their names. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

type RowRest = Omit<Endpoint, 'method' | 'path' | 'access'>;

type Row<M extends Method> = <
  const P extends Endpoint['path'],
  const A extends Access,
  const R extends RowRest,
>(
  path: P,
  access: A,
  rest: R & Readonly<Record<Exclude<keyof R, keyof RowRest>, never>>,
) => { readonly method: M; readonly path: P; readonly access: A } & R;

// Rows of a table, such as `getModel: get('/models/:id', 'registry:read', { … })`. A bundle that
// needs none of a table's operations drops the table, as these are marked free of side effects.
/* @__NO_SIDE_EFFECTS__ */
export const get: Row<'GET'> = (path, access, rest) => ({ method: 'GET', path, access, ...rest });
/* @__NO_SIDE_EFFECTS__ */
export const post: Row<'POST'> = (path, access, rest) => ({
  method: 'POST',
  path,
  access,
  ...rest,
});
/* @__NO_SIDE_EFFECTS__ */
export const put: Row<'PUT'> = (path, access, rest) => ({ method: 'PUT', path, access, ...rest });
/* @__NO_SIDE_EFFECTS__ */
export const patch: Row<'PATCH'> = (path, access, rest) => ({
  method: 'PATCH',
  path,
  access,
  ...rest,
});
/* @__NO_SIDE_EFFECTS__ */
export const del: Row<'DELETE'> = (path, access, rest) => ({
  method: 'DELETE',
  path,
  access,
  ...rest,
});
/* @__NO_SIDE_EFFECTS__ */
export const options: Row<'OPTIONS'> = (path, access, rest) => ({
  method: 'OPTIONS',
  path,
  access,
  ...rest,
});

/** The segments of a path that vary. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Readonly<Record<Name, string>>
    : Readonly<Record<never, string>>;

export type QueryOf<P extends Endpoint> = P extends { readonly query: infer S extends Schema }
  ? z.output<S>
  : unknown;

export type BodyOf<P extends Endpoint> = P extends { readonly body: infer S extends Schema }
  ? z.output<S>
  : undefined;

type StatusOf<P extends Endpoint> = keyof P['responses'] & number;

/** JSON body of a response with one of an endpoint's statuses; undefined if it is not JSON. */
export type ResponseBody<P extends Endpoint, Status extends StatusOf<P> = StatusOf<P>> =
  Status extends StatusOf<P>
    ? P['responses'][Status] extends infer S extends Schema
      ? z.output<S>
      : undefined
    : never;

export const isSchema = (content: Schema | Media): content is Schema => !('media' in content);
