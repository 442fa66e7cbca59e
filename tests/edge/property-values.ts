import fc from 'fast-check';
import type { JsonSchema, OpenApiDocument } from '../../edge/api-description/document.ts';
import { lookUp } from './openapi-schemas.ts';

/** Schemas that refer to themselves end here. */
const DEEPEST = 6;

/** Texts that have broken programs before. */
const ODD_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  '../..',
  '%00',
  '__proto__',
  'constructor',
  'é漢字🦜',
  '\u202e',
  '\ud800',
  "'; DROP TABLE models; --",
  '<script>',
  'a'.repeat(5000),
];

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  0.1,
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: 1 },
];

export const oddText = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'grapheme', maxLength: 40 }));

export const oddValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(fc.constantFrom(...ODD_VALUES), oddText(), fc.jsonValue({ maxDepth: 3 }));

/** Values that a schema of the document takes, as far as JSON Schema can say. */
export function valuesOf(
  document: OpenApiDocument,
  schema: JsonSchema | boolean,
  depth = 0,
): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean' || depth > DEEPEST) return fc.constant('x');
  const inner = (part: JsonSchema | boolean) => valuesOf(document, part, depth + 1);
  const { $ref, anyOf, oneOf, const: only, enum: listed } = schema;
  if ($ref !== undefined) return inner(lookUp(document, { $ref }) as JsonSchema);
  if (only !== undefined) return fc.constant(only);
  if (listed) return fc.constantFrom(...listed);
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map(inner));
  return plainValues(schema, inner);
}

function plainValues(schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer(boundsOf(schema, 2 ** 31 - 1));
    case 'number':
      return fc.double({ ...boundsOf(schema, 1e6), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arrayOf(schema, inner);
    case 'object':
      return objectOf(schema, inner);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

type Inner = (part: JsonSchema | boolean) => fc.Arbitrary<unknown>;

function boundsOf(schema: JsonSchema, widest: number): { min: number; max: number } {
  const min = Math.max(Number(schema.minimum ?? schema.exclusiveMinimum ?? -widest), -widest);
  const max = Math.min(Number(schema.maximum ?? schema.exclusiveMaximum ?? widest), widest);
  return { min, max: Math.max(min, max) };
}

function textOf({
  pattern,
  minLength = 0,
  maxLength = Infinity,
}: JsonSchema): fc.Arbitrary<string> {
  if (pattern === undefined) {
    return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 64)) });
  }
  try {
    return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  } catch {
    // A look-ahead, which fast-check does not know: most such patterns are of names.
    return fc.stringMatching(/^[a-z]{1,12}$/);
  }
}

function arrayOf(schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> {
  const { items, prefixItems, minItems = 0, maxItems = 4 } = schema;
  if (prefixItems) return fc.tuple(...prefixItems.map(inner));
  const item = Array.isArray(items) || items === undefined ? true : items;
  return fc.array(inner(item), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, 4)),
  });
}

function objectOf(schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, inner(member)]),
  );
  const named = fc.record(members, { requiredKeys: required.filter((name) => name in members) });
  if (typeof additionalProperties !== 'object') return named;
  const keys = inner(propertyNames ?? { type: 'string', minLength: 1, maxLength: 12 });
  const others = fc.dictionary(keys as fc.Arbitrary<string>, inner(additionalProperties), {
    maxKeys: 3,
  });
  return fc.tuple(others, named).map(([some, known]) => ({ ...some, ...(known as object) }));
}

/** A value with one thing wrong: a member taken away, exchanged or added, at any depth. */
export function spoiled(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return oddValue();
  const names = Object.keys(value);
  const added = fc
    .tuple(fc.constantFrom('unknown', 'Name', 'id ', '__proto__', ''), oddValue())
    .map(([name, odd]) => Object.fromEntries([...Object.entries(value), [name, odd]]));
  if (names.length === 0) return fc.oneof(added, oddValue());
  return fc.constantFrom(...names).chain((name) => {
    const { [name]: member, ...rest } = value as Record<string, unknown>;
    return fc.oneof(
      { weight: 1, arbitrary: fc.constant(rest) },
      { weight: 3, arbitrary: spoiled(member).map((odd) => ({ ...value, [name]: odd })) },
      { weight: 1, arbitrary: added },
      { weight: 1, arbitrary: oddValue() },
    );
  });
}
