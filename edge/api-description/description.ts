import type * as z from 'zod/mini';
import type { Endpoint, Endpoints, Media, ParamsOf, Schema } from '../contract/endpoint.ts';
import type { HeaderName } from './headers.ts';

/** A service as its API description shows it. */
export interface ServiceDescription {
  /** Its segment behind the gateway, and its tag. */
  readonly name: string;
  readonly summary: string;
  readonly parts: readonly AnyPart[];
}

/** One table of endpoints, with what people want to know beyond it. */
export interface Part<T extends Endpoints> {
  readonly endpoints: T;
  readonly examples: ExamplesOf<T>;
  /** What each varying segment holds, by the segment before it and its name: `models/:id`. */
  readonly params: { readonly [K in ParamKeysOf<T[keyof T]['path']>]: PathParam };
}

export interface PathParam {
  readonly description: string;
  readonly schema: Schema;
}

/** An example of each request and each answer of a table; the compiler lists those that miss. */
export type ExamplesOf<T extends Endpoints> = { readonly [K in keyof T]: ExampleOf<T[K]> };

export type ExampleOf<P extends Endpoint> = (P['path'] extends `${string}:${string}`
  ? { readonly params: ParamsOf<P['path']> }
  : unknown) &
  (P extends { readonly query: infer S extends Schema }
    ? { readonly query: z.input<S> }
    : unknown) &
  (P extends { readonly body: infer B extends Schema | Media }
    ? { readonly body: B extends Schema ? z.input<B> : MediaExamples<B> }
    : unknown) & {
    readonly answers: {
      readonly [S in keyof P['answers'] & number]: AnswerExample<P['answers'][S]>;
    };
    /** Values of the request's own headers. */
    readonly requestHeaders?: { readonly [K in keyof P['headers']]?: string };
    /** Headers that an answer of a status always carries. */
    readonly headers?: {
      readonly [S in keyof P['answers'] & number]?: readonly HeaderName[];
    };
  };

type AnswerExample<C> = C extends Schema ? z.output<C> : C extends null ? null : MediaExamples<C>;

/** A text for each media type; a value where it is JSON. */
type MediaExamples<M> = M extends Media ? { readonly [K in M['media'][number]]: unknown } : never;

/** The varying segments of a path, such as `models/:id` and `versions/:version`. */
type ParamKeysOf<Path extends string> = Path extends `${infer Head}/:${infer Name}/${infer Rest}`
  ? `${LastOf<Head>}/:${Name}` | ParamKeysOf<`/${Rest}`>
  : Path extends `${infer Head}/:${infer Name}`
    ? `${LastOf<Head>}/:${Name}`
    : never;

type LastOf<Path extends string> = Path extends `${string}/${infer Rest}` ? LastOf<Rest> : Path;

/** An example once its table no longer matters. */
export interface AnyExample {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly answers: Readonly<Record<number, unknown>>;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<number, readonly HeaderName[]>>;
}

export interface AnyPart {
  readonly endpoints: Endpoints;
  readonly examples: Readonly<Record<string, AnyExample>>;
  readonly params: Readonly<Record<string, PathParam>>;
}

/** Checks a table against its examples and parameters. */
export function partOf<T extends Endpoints>(part: Part<T>): AnyPart {
  // Each example has the fields that its own endpoint asks for, which a walk over names cannot show.
  return part as unknown as AnyPart;
}
