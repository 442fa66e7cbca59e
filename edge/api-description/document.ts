import type * as z from 'zod/v4/core';

/** The parts of OpenAPI 3.1 that our documents are made of. */
export interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly contact: { readonly name: string };
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}

export type JsonSchema = z.JSONSchema.BaseSchema;

export interface Reference {
  readonly $ref: string;
}

export type Verb = 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';

export type PathItem = { readonly [V in Verb]?: Operation } & {
  readonly parameters: readonly Reference[];
};

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: true;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  /** The scope that credentials need, if any. */
  readonly 'x-required-scope'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: true; readonly content: MediaTypes };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: true;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export type MediaTypes = Readonly<Record<string, MediaType>>;

export interface MediaType {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: MediaTypes;
  readonly links?: Readonly<Record<string, Link>>;
}

/** How what was answered leads to another operation: its parameters, as runtime expressions. */
export interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parts that operations share, by kind and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const refTo = (kind: string, name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
});
