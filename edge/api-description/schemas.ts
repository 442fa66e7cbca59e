import * as z from 'zod/v4/core';
import type { Schema } from '../contract/endpoint.ts';
import { ruleOf } from '../contract/schema-rules.ts';
import type { JsonSchema } from './document.ts';
import { portablePattern } from './portable-pattern.ts';

/** The zod schemas of a document as JSON Schema; what has a name is referred to. */
export interface SchemaComponents {
  /** As a client sends it. */
  requestOf(schema: Schema): JsonSchema;
  /** As a client sends it, its members at hand even where it has a name. */
  membersOf(schema: Schema): JsonSchema;
  /** As a service answers it. */
  answerOf(schema: Schema): JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** A member that stands where zod has no JSON Schema to give; no document may keep one. */
export const UNREPRESENTABLE = 'x-unrepresentable';

const PREFIX = '#/components/schemas/';

type Converted = Readonly<Record<string, JsonSchema>>;

/**
 * Converts schemas, all at once, as they refer to each other. A named schema that reads otherwise
 * in a request than in an answer becomes two components: `Name` for answers, `NameInput` for requests.
 *
 * @param wanted every schema that will be asked for
 */
export function convertSchemas(
  named: ReadonlyMap<Schema, string>,
  wanted: Iterable<Schema>,
): SchemaComponents {
  const ids = new Map(named);
  for (const schema of wanted) if (!ids.has(schema)) ids.set(schema, `~${ids.size}`);
  const answers = convertAll(ids, 'output');
  const requests = convertAll(ids, 'input');
  const split = namesThatDiffer(new Set(named.values()), requests, answers);
  const components: Record<string, JsonSchema> = {};
  for (const name of named.values()) {
    components[name] = answers[name] ?? {};
    if (split.has(name)) components[`${name}Input`] = renamed(requests[name] ?? {}, split);
  }
  const read = (schema: Schema, inline: Converted): JsonSchema => {
    const name = named.get(schema);
    return name === undefined ? (inline[ids.get(schema) ?? ''] ?? {}) : { $ref: PREFIX + name };
  };
  return {
    requestOf: (schema) => renamed(read(schema, requests), split),
    membersOf: (schema) => renamed(requests[ids.get(schema) ?? ''] ?? {}, split),
    answerOf: (schema) => read(schema, answers),
    components,
  };
}

function convertAll(ids: ReadonlyMap<Schema, string>, io: 'input' | 'output'): Converted {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of ids) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => PREFIX + id,
    unrepresentable: ({ message }) => ({ [UNREPRESENTABLE]: message }),
    override: ({ zodSchema, jsonSchema }) => {
      // oxlint-disable-next-line no-underscore-dangle -- zod/v4/core keeps a definition nowhere else
      const { def } = zodSchema._zod;
      // A later version may answer more members: only a strict schema rules that out.
      if (io === 'output' && def.type === 'object' && def.catchall === undefined) {
        delete jsonSchema.additionalProperties;
      }
      // Its length closes a tuple, too; tools that know no tuples want a schema in every array.
      if (jsonSchema.items === false) jsonSchema.items = {};
      if (def.type === 'string') writePatterns(zodSchema, jsonSchema);
      if (io === 'input') addRules(def.checks ?? [], jsonSchema);
    },
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return schemas;
}

/** Pattern of a text that is not blank. */
const NOT_BLANK = portablePattern(/\S/u);

function writePatterns(zodSchema: z.$ZodType, schema: JsonSchema): void {
  // oxlint-disable-next-line no-underscore-dangle -- as above
  const checks = zodSchema._zod.def.checks?.map(({ _zod: check }) => check.def) ?? [];
  const flagsOf = new Map(
    checks.flatMap((def) => {
      const { pattern } = def as { readonly pattern?: RegExp };
      return pattern ? [[pattern.source, pattern.flags] as const] : [];
    }),
  );
  const portable = (source: string) =>
    portablePattern(new RegExp(source, flagsOf.get(source) ?? ''));
  if (schema.pattern !== undefined) schema.pattern = portable(schema.pattern);
  for (const part of schema.allOf ?? []) {
    if (part.pattern !== undefined) part.pattern = portable(part.pattern);
  }
  const isTrimmed = checks.some(({ check }) => check === 'overwrite');
  if (isTrimmed && schema.minLength !== undefined && schema.pattern === undefined) {
    schema.pattern = NOT_BLANK;
  }
}

/** Checks of which the contract says what they mean in JSON Schema. */
function addRules(checks: readonly z.$ZodCheck[], schema: JsonSchema): void {
  for (const check of checks) {
    const { pattern, ...others } = ruleOf(check) ?? {};
    const rule = pattern ? { ...others, pattern: portablePattern(pattern) } : others;
    const isFree = Object.keys(rule).every((key) => !(key in schema));
    if (isFree) Object.assign(schema, rule);
    else schema.allOf = [...(schema.allOf ?? []), rule];
  }
}

/** The names whose two readings differ, by themselves or in what they refer to. */
function namesThatDiffer(
  names: ReadonlySet<string>,
  requests: Converted,
  answers: Converted,
): ReadonlySet<string> {
  const differing = new Set<string>();
  const isOther = (name: string) =>
    JSON.stringify(requests[name]) !== JSON.stringify(answers[name]) ||
    refsIn(requests[name]).some((ref) => differing.has(ref));
  for (let before = -1; before < differing.size;) {
    before = differing.size;
    for (const name of names) if (isOther(name)) differing.add(name);
  }
  return differing;
}

function renamed(schema: JsonSchema, split: ReadonlySet<string>): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    return split.has(value.slice(PREFIX.length)) ? `${value}Input` : value;
  }) as JsonSchema;
}

const refsIn = (schema: JsonSchema | undefined): readonly string[] =>
  Array.from(
    JSON.stringify(schema ?? {}).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g),
    ([, name = '']) => name,
  );
