import type {
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  ResponseObject,
} from './document.ts';

/** An OpenAPI document and one of its schemas, of which one is read against the other. */
interface Side {
  readonly document: OpenApiDocument;
  readonly schema: JsonSchema;
}

/** Direction of a value: requests and responses break in opposite ways. */
type Direction = 'request' | 'answer';

/**
 * Breaking changes from `before` to `after` for existing clients, one sentence each.
 * It knows the changes that JSON Schema shows: operations, parameters, answers, members, types and
 * listed values.
 */
export function breakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const current = new Map(operationsIn(after));
  return [...operationsIn(before)].flatMap(([place, old]) => {
    const now = current.get(place);
    if (!now) return [`${place} is gone`];
    return [
      ...parameterChanges(old, now),
      ...bodyChanges({ document: before, operation: old }, { document: after, operation: now }),
      ...answerChanges({ document: before, operation: old }, { document: after, operation: now }),
    ].map((change) => `${place}: ${change}`);
  });
}

function* operationsIn({ paths }: OpenApiDocument): Generator<[string, Operation]> {
  for (const [path, item] of Object.entries(paths)) {
    for (const [verb, operation] of Object.entries(item)) {
      if ('responses' in operation) yield [`${verb.toUpperCase()} ${path}`, operation];
    }
  }
}

const keyOf = ({ in: place, name }: Parameter) => `the ${place}'s ${name}`;

function parameterChanges(old: Operation, now: Operation): string[] {
  const known = new Map(old.parameters?.map((parameter) => [keyOf(parameter), parameter]));
  const kept = new Set(now.parameters?.map(keyOf));
  return [
    ...[...known.keys()].filter((key) => !kept.has(key)).map((key) => `${key} is gone`),
    ...(now.parameters ?? [])
      .filter((parameter) => parameter.required && !known.get(keyOf(parameter))?.required)
      .map((parameter) => `${keyOf(parameter)} is required`),
  ];
}

interface Placed {
  readonly document: OpenApiDocument;
  readonly operation: Operation;
}

function bodyChanges(old: Placed, now: Placed): string[] {
  return Object.entries(old.operation.requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    const other = now.operation.requestBody?.content[type];
    if (!other) return [`a body of ${type} is no longer taken`];
    return schemaChanges(
      { document: old.document, schema: schema ?? {} },
      { document: now.document, schema: other.schema ?? {} },
      { direction: 'request', place: 'the body' },
    );
  });
}

function answerChanges(old: Placed, now: Placed): string[] {
  return Object.entries(old.operation.responses).flatMap(([status, answer]) => {
    // Which refusals there are may change; that a success is answered may not.
    if (Number(status) >= 400) return [];
    const other = now.operation.responses[status];
    if (!other) return [`the status ${status} is no longer answered`];
    const content = isReference(other) ? {} : (other.content ?? {});
    return Object.entries(isReference(answer) ? {} : (answer.content ?? {})).flatMap(
      ([type, { schema }]) => {
        if (!content[type]) return [`${status} no longer answers ${type}`];
        return schemaChanges(
          { document: old.document, schema: schema ?? {} },
          { document: now.document, schema: content[type].schema ?? {} },
          { direction: 'answer', place: `the answer ${status}` },
        );
      },
    );
  });
}

const isReference = (answer: ResponseObject | Reference): answer is Reference => '$ref' in answer;

interface Where {
  readonly direction: Direction;
  readonly place: string;
  readonly depth?: number;
}

/** Schemas may refer to themselves; below this nothing more is looked at. */
const DEEPEST = 12;

function schemaChanges(old: Side, now: Side, where: Where): string[] {
  const { direction, place, depth = 0 } = where;
  if (depth > DEEPEST) return [];
  const [from, to] = [resolve(old), resolve(now)];
  if (isOther(from, to)) {
    return [`${place} is of type ${shown(to.type)} instead of ${shown(from.type)}`];
  }
  const changes = [...valueChanges(from, to, where), ...memberChanges(from, to, where)];
  const inner = (name: string, a: unknown, b: unknown) =>
    schemaChanges(
      { ...old, schema: a as JsonSchema },
      { ...now, schema: b as JsonSchema },
      { direction, place: `${place}/${name}`, depth: depth + 1 },
    );
  for (const [name, schema] of Object.entries(from.properties ?? {})) {
    const other = to.properties?.[name];
    if (other !== undefined) changes.push(...inner(name, schema, other));
  }
  if (from.items && to.items) changes.push(...inner('0', from.items, to.items));
  return changes;
}

/** True if a value changed its declared type; an undeclared type was no promise. */
const isOther = ({ type }: JsonSchema, to: JsonSchema) =>
  type !== undefined && String(type) !== String(to.type);

/** A listed value that is no longer taken. Answers may gain values, as clients have to expect. */
function valueChanges(from: JsonSchema, to: JsonSchema, { direction, place }: Where): string[] {
  if (direction === 'answer' || !from.enum || !to.enum) return [];
  return from.enum
    .filter((value) => !to.enum?.includes(value))
    .map((value) => `${place} no longer takes ${JSON.stringify(value)}`);
}

function memberChanges(from: JsonSchema, to: JsonSchema, { direction, place }: Where): string[] {
  const gone = Object.keys(from.properties ?? {}).filter((name) => !to.properties?.[name]);
  const changes = gone.map((name) => `${place}/${name} is gone`);
  const [less, more] = direction === 'request' ? [from, to] : [to, from];
  const required = (more.required ?? []).filter((name) => !less.required?.includes(name));
  const why = direction === 'request' ? 'is required' : 'may be missing';
  return [
    ...changes,
    ...required.filter((name) => !gone.includes(name)).map((name) => `${place}/${name} ${why}`),
  ];
}

function resolve({ document, schema }: Side): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  return (document.components['schemas']?.[name] ?? {}) as JsonSchema;
}

const shown = (type: unknown) => (type === undefined ? 'any' : String(type));
