import { Ajv2020 } from 'ajv/dist/2020.js';
import type {
  OpenApiDocument,
  Operation,
  Reference,
  ResponseObject,
} from '../../edge/api-description/document.ts';

/** One operation of a document, where it is called. */
export interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function operationsIn({ paths }: OpenApiDocument): readonly Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, operation]) =>
      'responses' in operation
        ? [{ id: operation.operationId, method: verb.toUpperCase(), path, operation }]
        : [],
    ),
  );
}

/** Every object of a document with the path that leads there. */
export function* objectsIn(value: unknown, path = ''): Generator<readonly [string, object]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value];
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${name}`);
}

/** Every pattern of its schemas, once. */
export const patternsIn = (document: OpenApiDocument): readonly string[] => [
  ...new Set(
    [...objectsIn(document)].flatMap(([path, value]) =>
      'pattern' in value && typeof value.pattern === 'string' && !/example/.test(path)
        ? [value.pattern]
        : [],
    ),
  ),
];

/** The documented response of an operation for a status; undefined if there is none. */
export function responseOf(
  document: OpenApiDocument,
  { operation }: Described,
  status: number,
): ResponseObject | undefined {
  const response = operation.responses[String(status)];
  return response && '$ref' in response ? (lookUp(document, response) as ResponseObject) : response;
}

export function lookUp({ components }: OpenApiDocument, { $ref }: Reference): unknown {
  const [kind = '', name = ''] = $ref.replace('#/components/', '').split('/');
  return components[kind]?.[name];
}

/** Says what is wrong with a value by a schema of the document; an empty text where nothing is. */
export type Judge = (schema: object, value: unknown) => string;

/** @param closed whether members that a schema does not name are wrong */
export function judgeBy(document: OpenApiDocument, { closed }: { closed: boolean }): Judge {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
  const { components } = closed ? (closeObjects(document) as OpenApiDocument) : document;
  ajv.addSchema({ $id: 'https://document.invalid/', components });
  const compiled = new Map<string, ReturnType<Ajv2020['compile']>>();
  const compile = (schema: object) => {
    const text = JSON.stringify(closed ? closeObjects(schema) : schema);
    const absolute = text.replaceAll('"#/', '"https://document.invalid/#/');
    const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute) as object);
    compiled.set(absolute, validate);
    return validate;
  };
  // Writing a schema down takes longer than most judgements by it.
  const known = new WeakMap<object, ReturnType<typeof compile>>();
  return (schema, value) => {
    const validate = known.get(schema) ?? compile(schema);
    known.set(schema, validate);
    return validate(value) ? '' : ajv.errorsText(validate.errors, { dataVar: 'value' });
  };
}

/** Objects take no other members than those they name, unless they say that they do. */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, closeObjects(member)]),
  );
  const isOpen =
    copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}
