import { spawnSync } from 'node:child_process';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholePattern } from '../../edge/contract/schema-rules.ts';
import type { Link, MediaTypes, OpenApiDocument } from '../../edge/openapi/document.ts';
import { documentOf } from '../../edge/openapi/platform.ts';
import { portablePattern } from '../../edge/openapi/portable-pattern.ts';
import { SERVICE_NAMES } from '../../edge/openapi/services.ts';
import { type Described, lookUp, operationsIn, responseOf } from './openapi-schemas.ts';

const documents = SERVICE_NAMES.map((name) => {
  const document = JSON.parse(JSON.stringify(documentOf(name))) as OpenApiDocument;
  return [name, document] as const;
});
const [[, whole] = ['gateway', documentOf('gateway')] as const] = documents;

/** A WebSocket: its success is 101, which some tools do not count as one. */
const SOCKETS = new Set(['gateway_streamLogs']);

/** Every object of a document with the path that leads there. */
function* objectsIn(value: unknown, path = ''): Generator<readonly [string, object]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value];
  for (const [name, member] of Object.entries(value)) yield* objectsIn(member, `${path}/${name}`);
}

const patternsIn = (document: OpenApiDocument): readonly string[] => [
  ...new Set(
    [...objectsIn(document)].flatMap(([path, value]) =>
      'pattern' in value && typeof value.pattern === 'string' && !/example/.test(path)
        ? [value.pattern]
        : [],
    ),
  ),
];

describe.each(documents)('the document of %s', (_, document) => {
  const operations = operationsIn(document);
  const answersOf = (described: Described) =>
    Object.keys(described.operation.responses).map(
      (status) => [status, responseOf(document, described, Number(status))!] as const,
    );

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('says where it holds, who answers for it, and what each operation does', () => {
    const tags = document.tags.map(({ name }) => name);
    const bare = operations.filter(
      ({ operation }) =>
        operation.description === '' ||
        operation.summary === '' ||
        !operation.tags.every((tag) => tags.includes(tag)),
    );

    expect(document.servers).not.toEqual([]);
    expect(document.info.contact.name).not.toBe('');
    expect(bare.map(({ id }) => id)).toEqual([]);
  });

  it('has a success of every operation', () => {
    const without = operations
      .filter(({ operation }) => !Object.keys(operation.responses).some((s) => /^[23]/.test(s)))
      .map(({ id }) => id);

    expect(without.filter((id) => !SOCKETS.has(id))).toEqual([]);
  });

  it('has a schema for every body and answer', () => {
    const missing = (content: MediaTypes = {}) =>
      Object.entries(content).flatMap(([type, { schema }]) => (schema ? [] : [type]));

    const gaps = operations.flatMap((described) => [
      ...missing(described.operation.requestBody?.content),
      ...answersOf(described).flatMap(([, { content }]) => missing(content)),
    ]);

    expect(gaps).toEqual([]);
  });

  it('names the segments of each path, and no scope where its credentials have none', () => {
    const faults = operations.filter(({ path, operation }) => {
      const named = operation.parameters?.filter((one) => one.in === 'path' && one.required) ?? [];
      const segments = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => name);
      const scopes = operation.security.flatMap((one) => Object.values(one).flat());
      return (
        scopes.length > 0 ||
        String(named.map(({ name }) => name).toSorted()) !== String(segments.toSorted())
      );
    });

    expect(faults.map(({ id }) => id)).toEqual([]);
  });

  it('has items in every array, and requires members that it knows', () => {
    const schemas = [...objectsIn(document)].filter(([path]) => !/\/examples?(?:\/|$)/.test(path));
    const bare = schemas.filter(
      ([, schema]) =>
        'type' in schema && schema.type === 'array' && !('items' in schema && schema.items),
    );
    const strange = schemas.filter(([, schema]) => {
      if (!('required' in schema) || !Array.isArray(schema.required)) return false;
      const { properties = {}, required } = schema as { properties?: object; required: string[] };
      return !required.every((name) => name in properties);
    });

    expect([...bare, ...strange].map(([path]) => path)).toEqual([]);
  });

  it('leads from answers to operations with parameters that they have', () => {
    const faults = operations.flatMap((described) =>
      answersOf(described).flatMap(([status, { links = {}, content }]) =>
        Object.entries(links).flatMap(([name, link]) =>
          linkFaults(document, described, { link, content }).map(
            (fault) => `${described.id} ${status} ${name}: ${fault}`,
          ),
        ),
      ),
    );

    expect(faults).toEqual([]);
  });

  it('has patterns that JavaScript reads in the same way with and without the u flag', () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 6 }), { numRuns: 300, seed: 1 });
    const differing = patternsIn(document).filter((pattern) => {
      const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')];
      // A surrogate pair is two characters to the one and one to the other: lengths may differ.
      return texts.some(
        (text) => !/[\ud800-\udfff]/.test(text) && plain.test(text) !== unicode.test(text),
      );
    });

    expect(differing).toEqual([]);
  });
});

interface Linked {
  readonly link: Link;
  readonly content: MediaTypes | undefined;
}

function linkFaults(
  document: OpenApiDocument,
  described: Described,
  { link, content }: Linked,
): readonly string[] {
  const target = operationsIn(document).find(({ id }) => id === link.operationId);
  if (!target) return [`there is no operation ${link.operationId}`];
  const parameters = target.operation.parameters ?? [];
  const known = new Set(parameters.map(({ name }) => name));
  const required = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const given = new Set(described.operation.parameters?.map(({ name }) => name));
  const schema = content?.['application/json']?.schema ?? {};
  const isThere = (expression: string) => {
    const [, place = '', source = ''] = EXPRESSION.exec(expression) ?? [];
    if (place.startsWith('request')) return given.has(source);
    return source !== '' && hasMember(document, schema, source.split('/'));
  };
  return [
    ...required.filter((name) => !(name in link.parameters)).map((name) => `${name} is left out`),
    ...Object.keys(link.parameters).filter((name) => !known.has(name)),
    ...Object.values(link.parameters).filter((expression) => !isThere(expression)),
  ];
}

const EXPRESSION = /^\$(response\.body#\/|request\.(?:path|query)\.)(.+)$/;

function hasMember(document: OpenApiDocument, schema: object, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const { $ref } = schema as { $ref?: string };
  if ($ref !== undefined) return hasMember(document, lookUp(document, { $ref }) as object, path);
  const { properties = {} } = schema as { properties?: Readonly<Record<string, object>> };
  const member = properties[name];
  return member !== undefined && hasMember(document, member, rest);
}

describe('what was written in one language', () => {
  const python = spawnSync('python3', ['--version']);
  const texts = [
    '',
    '0',
    '7',
    '٣',
    'a',
    'A',
    'é',
    '_',
    ' ',
    '\r',
    '\u00a0',
    '\u2028',
    '\ud83e\udd9c',
    '-',
    'a:b',
    'http://a',
    '"x"',
    '\u0007',
  ];

  it.skipIf(python.status !== 0)('means the same in Python', () => {
    const script = `
import json, re, sys
asked = json.load(sys.stdin)
print(json.dumps([[bool(re.search(p, t)) for t in asked["texts"]] for p in asked["patterns"]]))`;
    const patterns = patternsIn(whole);

    const { stdout, stderr } = spawnSync('python3', ['-c', script], {
      input: JSON.stringify({ patterns, texts }),
    });

    expect(String(stderr)).toBe('');
    const here = patterns.map((pattern) =>
      texts.map((text) => new RegExp(pattern, 'u').test(text)),
    );
    expect(JSON.parse(String(stdout))).toEqual(here);
  });

  it.each([
    [
      /^\d\w\S$/,
      '^[0-9][_A-Za-z0-9][^\\t\\n\\u000B\\f\\r \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF]$',
    ],
    [/^\P{Cc}+$/u, '^[^\\u0000-\\u001F\\u007F-\\u009F]+$'],
    [/^[^]*[\w.-]\/$/, '^[\\s\\S]*[_A-Za-z0-9.-]/$'],
    [/^.[.]\.$/, '^[^\\n\\r\\u2028\\u2029][.]\\.$'],
    [/^.$/s, '^[\\s\\S]$'],
  ])('is written for all: %s', (pattern, portable) => {
    expect(portablePattern(pattern)).toBe(portable);
  });

  it.each([/^a$/i, /\bword/, /\p{L}/u, /[^\S]/])('is refused where it cannot be: %s', (pattern) => {
    expect(() => portablePattern(pattern)).toThrow(TypeError);
  });

  it('takes the whole numbers of a range and no others', () => {
    const bounds = fc.record({
      least: fc.constantFrom(0 as const, 1 as const),
      most: fc.integer({ min: 1, max: 20_000 }),
    });
    fc.assert(
      fc.property(bounds, fc.integer({ min: 0, max: 30_000 }), ({ least, most }, number) => {
        expect(wholePattern(least, most).test(String(number))).toBe(
          number >= least && number <= most,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
