import { type JsonSchema, nameOf, type OpenApi, resolve } from '../../api/openapi-client.ts';
import type { ApiDocsText } from './words/en-api-docs.ts';

/** A member of an object, or one of several variants. */
export interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** The context for describing schemas. */
export interface SchemaContext {
  readonly document: OpenApi;
  readonly text: ApiDocsText;
}

/** Maximum depth of the search for members: a schema may be recursive. */
const LOOK_AHEAD = 4;

/** The expandable members of a schema. */
export function membersOf(
  reading: SchemaContext,
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

/** The schema of the elements of a list or the values of a map, expanded in its place. */
function innerOf({ items, properties, additionalProperties: values }: JsonSchema) {
  if (items) return items;
  return typeof values === 'object' && !properties ? values : undefined;
}

/** A single expandable variant stands for the whole; several expand by name. */
function membersOfParts(
  reading: SchemaContext,
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
