import * as z from 'zod/mini';
import type { Endpoint, Endpoints, Media, ParamsOf, Schema } from './endpoint.ts';

/**
 * Documentation of a table of endpoints for the API description. It stands in a
 * function beside the table: a bundle that only needs the table carries none of it.
 */
export interface EndpointDocs<T extends Endpoints> {
  /** Modules whose schemas are components of the description, under the names they are exported by. */
  readonly schemas: readonly object[];
  /** Each varying segment, by the segment before it and its name: `models/:id`. */
  readonly params: { readonly [K in ParamKeysOf<T[keyof T]['path']>]: PathParam };
  /** An example of each request and each response; the compiler lists those that miss. */
  readonly operations: { readonly [K in keyof T]: OperationDocs<T[K]> };
}

interface PathParam {
  readonly description: string;
  readonly schema: Schema;
}

type OperationDocs<P extends Endpoint> = (P['path'] extends `${string}:${string}`
  ? { readonly params: ParamsOf<P['path']> }
  : unknown) &
  (P extends { readonly query: infer S extends Schema }
    ? Record<never, never> extends z.input<S>
      ? { readonly query?: z.input<S> }
      : { readonly query: z.input<S> }
    : unknown) &
  (P extends { readonly body: infer B extends Schema | Media }
    ? { readonly body: B extends Schema ? z.input<B> : MediaExamples<B> }
    : unknown) &
  (Single<Status<P>> extends never ? AllResponses<P> : AllResponses<P> | OnlyResponse<P>) & {
    /** Values of the request's own headers. */
    readonly requestHeaders?: { readonly [K in keyof P['headers']]?: string };
    /** Headers that a response of a status always carries, of those in api-description/headers.ts. */
    readonly headers?: {
      readonly [S in keyof P['responses'] & number]?: readonly string[];
    };
    /** Operations of the same service that a response of a status leads to. */
    readonly links?: { readonly [S in keyof P['responses'] & number]?: Links };
  };

type Status<P extends Endpoint> = keyof P['responses'] & number;

type AllResponses<P extends Endpoint> = {
  readonly responses: { readonly [S in Status<P>]: ResponseExample<P['responses'][S]> };
};

/** The example of an endpoint with a single response. */
type OnlyResponse<P extends Endpoint> = {
  readonly answer: ResponseExample<P['responses'][Status<P>]>;
};

/** A type that is no union; else never. */
type Single<K, All = K> = K extends unknown ? ([All] extends [K] ? K : never) : never;

type ResponseExample<C> = C extends Schema ? z.output<C> : C extends null ? null : MediaExamples<C>;

/** A text for each media type; a value where it is JSON. */
type MediaExamples<M> = M extends Media ? { readonly [K in M['media'][number]]: unknown } : never;

/** Parameters of operations as runtime expressions of OpenAPI, by the names of the operations. */
export type Links = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A parameter that has the value of a member of the response. */
export const fromBody = (member: string) => `$response.body#/${member}`;
/** A parameter that has the value of a segment of the request's path. */
export const fromPath = (segment: string) => `$request.path.${segment}`;

/** Links to several operations that take the same parameters. */
export const linksTo = (parameters: Links[string], ...operations: readonly string[]): Links =>
  Object.fromEntries(operations.map((operation) => [operation, parameters]));

/** The varying segments of a path, such as `models/:id` and `versions/:version`. */
type ParamKeysOf<Path extends string> = Path extends `${infer Head}/:${infer Name}/${infer Rest}`
  ? `${LastOf<Head>}/:${Name}` | ParamKeysOf<`/${Rest}`>
  : Path extends `${infer Head}/:${infer Name}`
    ? `${LastOf<Head>}/:${Name}`
    : never;

type LastOf<Path extends string> = Path extends `${string}/${infer Rest}` ? LastOf<Rest> : Path;

/** A table of endpoints with its documentation. */
export interface DescribedEndpoints {
  readonly endpoints: Endpoints;
  readonly schemas: readonly object[];
  readonly params: Readonly<Record<string, PathParam>>;
  readonly operations: Readonly<Record<string, AnyOperationDocs>>;
}

/** The documentation of an operation once its endpoint no longer matters. */
export interface AnyOperationDocs {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
  readonly responses?: Readonly<Record<number, unknown>>;
  readonly answer?: unknown;
  readonly requestHeaders?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<number, readonly string[]>>;
  readonly links?: Readonly<Record<number, Links>>;
}

/** Joins a table with its documentation, which the compiler holds against it. */
export const describe = <T extends Endpoints, D extends EndpointDocs<T>>(
  endpoints: T,
  docs: D,
) => ({
  endpoints,
  ...docs,
});

/** A path parameter with an id that a service made up. */
export const anyId = () => z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/));
