import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { bodyOf, checked } from '../../edge/contract/client.ts';
import { ownFetch } from './own-fetch.ts';

/** A description of JSON (JSON Schema 2020-12), as far as the platform's own documents use it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** A member that is false must not be there. */
  readonly properties?: Readonly<Record<string, JsonSchema | false>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

interface MediaType {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}
export type Contents = Readonly<Record<string, MediaType>>;

export interface ApiResponse {
  readonly description: string;
  readonly content?: Contents;
}

type Referable<T> = T | { readonly $ref: string };

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-required-scope'?: string;
  readonly parameters?: readonly Referable<Parameter>[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, Referable<ApiResponse>>>;
}

const OpenApi = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.optional(z.string()) }),
  tags: z.array(z.object({ name: z.string(), description: z.optional(z.string()) })),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});
export type OpenApi = z.infer<typeof OpenApi>;

/** The platform's description of itself: the same for as long as the gateway is. */
export const openApiQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: async ({ signal }) =>
    bodyOf(await checked(await ownFetch('/openapi.json', { signal })), OpenApi),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Resolves a reference such as `#/components/schemas/Model`; other values are themselves. */
export function resolve<T extends object>({ components }: OpenApi, value: Referable<T>): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [, , kind = '', name = ''] = value.$ref.split('/').map(unescapePointer);
  // The gateway checks its document against OpenAPI's own schema: a reference leads to its kind.
  return (components[kind]?.[name] ?? {}) as T;
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** The last part of a reference: the name of what it leads to. */
export const nameOf = (reference: string): string =>
  unescapePointer(reference.slice(reference.lastIndexOf('/') + 1));
