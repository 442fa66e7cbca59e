import { type JsonSchema, nameOf, resolve } from '../../api/openapi-client.ts';
import type { SchemaContext } from './schema-members.ts';
import type { ApiDocsText } from './words/en-api-docs.ts';

/** A short description of a schema: "integer, from 1, to 100". */
export function typeText(reading: SchemaContext, schema: JsonSchema): string {
  const rules = [...rulesOf(reading.text, schema), ...choiceText(reading, schema)];
  return [kindOf(reading, schema), ...rules].join(', ');
}

function kindOf(reading: SchemaContext, schema: JsonSchema): string {
  const { t } = reading.text;
  if (schema.$ref !== undefined) return referenceText(reading, schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) {
    return t('type.oneOf', {
      values: schema.enum.map((value) => JSON.stringify(value)).join(', '),
    });
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  // For an object with members, variants only restrict their combination.
  if (alternatives && !schema.properties) return alternativesOf(reading, alternatives);
  if (schema.allOf && !schema.type)
    return schema.allOf.map((part) => kindOf(reading, part)).join(' + ');
  return plainKindOf(reading, schema);
}

/** The constraint on combinations of members. */
function choiceText({ document, text: { t } }: SchemaContext, schema: JsonSchema): string[] {
  const whole = resolve<JsonSchema>(document, schema as JsonSchema & object);
  if (!whole.properties) return [];
  return [whole, ...(whole.allOf ?? [])].flatMap(({ oneOf, anyOf }) => [
    ...wordsFor(requiredIn(oneOf), (names) => t('type.exactlyOne', { names })),
    ...wordsFor(requiredIn(anyOf), (names) => t('type.atLeastOne', { names })),
    ...wordsFor(forbiddenIn(anyOf), (names) => t('type.atMostOne', { names })),
  ]);
}

const wordsFor = (names: readonly string[], say: (names: string) => string): string[] =>
  names.length > 1 ? [say(names.join(', '))] : [];

const requiredIn = (parts: readonly JsonSchema[] = []) =>
  parts.flatMap(({ required = [] }) => (required.length === 1 ? required : []));

const forbiddenIn = (parts: readonly JsonSchema[] = []) =>
  parts.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, schema]) => (schema === false ? [name] : [])),
  );

/** The name of a schema, with its description if it is a plain value. */
function referenceText(reading: SchemaContext, $ref: string): string {
  const schema = resolve<JsonSchema>(reading.document, { $ref });
  const isValue = !schema.properties && !schema.items && !schema.anyOf && !schema.allOf;
  const name = nameOf($ref);
  return isValue && !schema.$ref ? `${name}: ${typeText(reading, schema)}` : name;
}

function plainKindOf(reading: SchemaContext, schema: JsonSchema): string {
  const { t } = reading.text;
  const types = [schema.type ?? []].flat();
  const words = types
    .filter((type) => type !== 'null')
    .map((type) => wordFor(reading, type, schema));
  if (types.length === 0) return t('type.any');
  return types.includes('null') ? t('type.or', { types: words.join(' | ') }) : words.join(' | ');
}

function wordFor(reading: SchemaContext, type: string, { items, ...schema }: JsonSchema): string {
  const { t } = reading.text;
  if (type === 'array')
    return t('type.list', { type: items ? kindOf(reading, items) : t('type.any') });
  const values = schema.additionalProperties;
  if (type === 'object' && !schema.properties && typeof values === 'object') {
    return t('type.map', { type: kindOf(reading, values) });
  }
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

function alternativesOf(reading: SchemaContext, alternatives: readonly JsonSchema[]): string {
  const others = alternatives.filter(({ type }) => type !== 'null');
  const words = others.map((one) => typeText(reading, one)).join(' | ');
  return others.length === alternatives.length
    ? words
    : reading.text.t('type.or', { types: words });
}

function rulesOf({ t }: ApiDocsText, schema: JsonSchema): string[] {
  const { maxItems, pattern, format } = schema;
  return [
    ...rangeText(t, schema),
    ...lengthText(t, schema),
    ...(maxItems === undefined ? [] : [t('type.items', { max: maxItems })]),
    // The format already says it.
    ...(pattern === undefined || format ? [] : [t('type.pattern', { pattern })]),
    ...(schema.default === undefined
      ? []
      : [t('type.default', { value: JSON.stringify(schema.default) })]),
  ];
}

function rangeText(t: ApiDocsText['t'], schema: JsonSchema): string[] {
  const { minimum: min = schema.exclusiveMinimum, maximum: max } = schema;
  // The limits of safe integers carry no information.
  const isFrom = min !== undefined && min !== Number.MIN_SAFE_INTEGER;
  const isTo = max !== undefined && max !== Number.MAX_SAFE_INTEGER;
  return [...(isFrom ? [t('type.from', { min })] : []), ...(isTo ? [t('type.to', { max })] : [])];
}

function lengthText(t: ApiDocsText['t'], schema: JsonSchema): string[] {
  const { minLength: min = 0, maxLength: max } = schema;
  if (max === undefined) return [];
  return [min === 0 ? t('type.longest', { max }) : t('type.length', { min, max })];
}
