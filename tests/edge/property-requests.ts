import fc from 'fast-check';
import type { OpenApiDocument, Parameter } from '../../edge/api-description/document.ts';
import type { Described } from './openapi-schemas.ts';
import { oddText, spoiled, valuesOf } from './property-values.ts';

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

type Values = Readonly<Record<string, unknown>>;

/** Requests of an operation: as its description asks for them, and with something wrong. */
export function requestsOf(document: OpenApiDocument, described: Described): fc.Arbitrary<Sent> {
  return fc
    .record({
      params: valuesOfParameters(document, described, 'path', 'odd'),
      query: queriesOf(document, described),
      headers: headersOf(described),
      body: bodiesOf(document, described),
    })
    .map(({ params, query, headers, body }) => ({
      method: described.method,
      path: pathOf(described.path, params) + query,
      ...body,
      headers: { ...headers, ...body.headers },
    }));
}

/** The request that the examples of a description make. */
export function exampleOf(described: Described): Sent {
  const given = (place: Parameter['in']) =>
    Object.fromEntries(
      (described.operation.parameters ?? [])
        .filter((parameter) => parameter.in === place && parameter.example !== undefined)
        .map(({ name, example }) => [name, example]),
    );
  const [first] = Object.entries(described.operation.requestBody?.content ?? {});
  const path = pathOf(described.path, given('path')) + writeQuery(given('query'));
  const headers = given('header') as Record<string, string>;
  if (!first) return { method: described.method, path, headers };
  const [type, { example }] = first;
  const body = typeof example === 'string' ? example : JSON.stringify(example);
  return { method: described.method, path, headers: { ...headers, 'content-type': type }, body };
}

const pathOf = (path: string, params: Values) =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => encode(String(params[name])));

/** A lone surrogate has no UTF-8: such a text is sent as what is not UTF-8. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ff';
  }
}

function writeQuery(values: Values): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((item) => `${encode(name)}=${encode(String(item))}`),
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** Mostly the example's value, so that what exists is met; else any the schema takes, or an odd one. */
function valuesOfParameters(
  document: OpenApiDocument,
  { operation }: Described,
  place: Parameter['in'],
  also: 'odd' | 'valid',
): fc.Arbitrary<Values> {
  const parameters = operation.parameters?.filter((parameter) => parameter.in === place) ?? [];
  const entries = parameters.map(({ name, schema, example }) => {
    const usual = example === undefined ? valuesOf(document, schema) : fc.constant(example);
    const choices = [
      { weight: 6, arbitrary: usual },
      { weight: 2, arbitrary: valuesOf(document, schema) },
      ...(also === 'odd'
        ? [{ weight: 1, arbitrary: oddText().filter((text) => text !== '') }]
        : []),
    ];
    return [name, fc.oneof(...choices)] as const;
  });
  const requiredKeys = parameters.flatMap(({ name, required }) => (required ? [name] : []));
  return fc.record(Object.fromEntries(entries), { requiredKeys }) as fc.Arbitrary<Values>;
}

function queriesOf(document: OpenApiDocument, described: Described): fc.Arbitrary<string> {
  const valid = valuesOfParameters(document, described, 'query', 'valid');
  const odd = valuesOfParameters(document, described, 'query', 'odd');
  return fc.oneof(
    { weight: 4, arbitrary: valid.map(writeQuery) },
    { weight: 2, arbitrary: odd.map(writeQuery) },
    {
      weight: 1,
      arbitrary: fc.tuple(valid, oddText()).map(([v, text]) => writeQuery({ ...v, unknown: text })),
    },
    {
      weight: 1,
      arbitrary: valid
        .map((v) => writeQuery(v).replace('?', '&').repeat(2))
        .map((q) => q.replace('&', '?')),
    },
    { weight: 1, arbitrary: fc.constantFrom('?', '?&&', '?=', '?%ff=%ff', '?a[b]=c') },
  );
}

/** Values of headers that mean something to some operation, and some that mean nothing. */
const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  'if-match': ['*', '"x"', 'W/"x"'],
  'if-none-match': ['*', '"x"', 'W/"x"'],
  'if-range': ['"x"', 'Mon, 01 Jan 2024 00:00:00 GMT'],
  range: ['bytes=0-1', 'bytes=-1', 'bytes=9-', 'bytes=1-0', 'lines=1-2'],
  'upload-offset': ['0', '4', '3', '-1', '99999999999999999999'],
  'upload-length': ['0', '4', '8', '-1', '99999999999999999999'],
  'upload-metadata': ['filename dG9rZW5pemVyLmpzb24=', 'filename', 'filename !!', 'a YQ==,a YQ=='],
  'upload-checksum': [`sha1 ${'A'.repeat(27)}=`, 'sha1 AAAA', 'md5 AAAA', ''],
  'tus-resumable': ['0.2.2', '1.0'],
  'x-http-method-override': ['PATCH', 'HEAD', 'DELETE', 'GET', 'TRACE'],
};
const ANY_HEADER = ['', '*', '0', '{}', 'a'.repeat(300)];

/** The headers that a description names; a header is ASCII, or fetch refuses it. */
function headersOf({ operation }: Described): fc.Arbitrary<Record<string, string>> {
  const known = (operation.parameters ?? []).flatMap(({ in: place, name, example }) => {
    if (place !== 'header') return [];
    const usual = example === undefined ? [] : [{ weight: 4, arbitrary: fc.constant(example) }];
    const values = fc.constantFrom(...(HEADER_VALUES[name] ?? ANY_HEADER));
    const arbitrary = fc.oneof(
      ...usual,
      { weight: 3, arbitrary: values },
      { weight: 1, arbitrary: fc.constantFrom(...ANY_HEADER) },
    );
    return [[name, arbitrary] as const];
  });
  return fc.record(Object.fromEntries(known), { requiredKeys: [] }) as fc.Arbitrary<
    Record<string, string>
  >;
}

type Body = Pick<Sent, 'headers' | 'body'>;

const OTHER_TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'application/json;',
  '',
];

function bodiesOf(document: OpenApiDocument, { method, operation }: Described): fc.Arbitrary<Body> {
  const content = Object.entries(operation.requestBody?.content ?? {});
  // A GET with a body is no request that fetch would make.
  if (method === 'GET' || method === 'HEAD') return fc.constant({ headers: {} });
  if (content.length === 0) {
    return fc.constantFrom<Body>({ headers: {} }, json('{}'), json('{'));
  }
  const taken = content.map(([type, { schema, example }]) => {
    const value = schema ? valuesOf(document, schema) : fc.constant(example);
    const usual = fc.constant(example);
    const some = fc.oneof(usual, value, usual.chain(spoiled), value.chain(spoiled));
    return some.map((body): Body => ({ headers: { 'content-type': type }, body: written(body) }));
  });
  const junk = fc.uint8Array({ maxLength: 64 });
  const types = fc.constantFrom(...OTHER_TYPES, ...content.map(([type]) => type));
  return fc.oneof(
    ...taken.map((arbitrary) => ({ weight: 6, arbitrary })),
    {
      weight: 1,
      arbitrary: fc.tuple(junk, types).map(([bytes, type]): Body => ({
        headers: type === '' ? {} : { 'content-type': type },
        body: new Uint8Array(bytes),
      })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(json(''), json('{'), json('[1'), json('\ufeff{}'), json('1e999')),
    },
  );
}

const json = (body: string): Body => ({ headers: { 'content-type': 'application/json' }, body });

const written = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
