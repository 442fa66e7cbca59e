import { type JsonSchema, nameOf, type OpenApi, resolve } from '../../api/openapi-client.ts';
import type { ApiDocsText } from './api-docs-text.ts';

/** A member of an object, or one of several forms. */
export interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** What schemas are read with. */
export interface SchemaReading {
  readonly document: OpenApi;
  readonly text: ApiDocsText;
}

/** How far is looked ahead for something to unfold: a schema may hold itself. */
const LOOK_AHEAD = 4;

/** What can be unfolded in a value of this schema. */
export function membersOf(
  reading: SchemaReading,
  schema: JsonSchema,
  ahead = LOOK_AHEAD,
): readonly Member[] {
  if (ahead === 0) return [];
  const whole = resolve<JsonSchema>(reading.document, schema as JsonSchema & object);
  const parts = whole.anyOf ?? whole.oneOf ?? whole.allOf;
  if (parts && !whole.properties) return membersOfParts(reading, parts, ahead);
  const inner = innerOf(whole);
  if (inner) return membersOf(reading, inner, ahead - 1);
  const required = new Set(whole.required);
  return Object.entries(whole.properties ?? {}).flatMap(([name, property]) =>
    property === false ? [] : [{ name, schema: property, isRequired: required.has(name) }],
  );
}

/** What the elements of a list, or the values of a map, look like: they unfold in its place. */
function innerOf({ items, properties, additionalProperties: values }: JsonSchema) {
  if (items) return items;
  return typeof values === 'object' && !properties ? values : undefined;
}

/** A single part that unfolds stands for the whole; of several, each unfolds by its name. */
function membersOfParts(
  reading: SchemaReading,
  parts: readonly JsonSchema[],
  ahead: number,
): readonly Member[] {
  const unfolding = parts.filter((part) => membersOf(reading, part, ahead - 1).length > 0);
  const [first] = unfolding;
  if (unfolding.length === 1 && first) return membersOf(reading, first, ahead - 1);
  return unfolding.map((schema, index) => ({
    name: schema.$ref === undefined ? String(index + 1) : nameOf(schema.$ref),
    schema,
    isRequired: false,
  }));
}
