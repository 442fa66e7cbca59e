import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonSchema, OpenApi } from '../../../../web/api/openapi-client.ts';
import { en } from '../../../../web/i18n/en.ts';
import { ja } from '../../../../web/i18n/ja.ts';
import { createTextOf } from '../../../../web/i18n/text.ts';
import { curlOf } from '../../../../web/screens/api-docs/curl.ts';
import {
  accessOf,
  findOperations,
  operationsOf,
} from '../../../../web/screens/api-docs/operations.ts';
import { membersOf } from '../../../../web/screens/api-docs/schema-members.ts';
import { typeText } from '../../../../web/screens/api-docs/schema-text.ts';
import { addressOf } from '../../../../web/screens/api-docs/TryIt.tsx';
import { type ApiDocsText, enApiDocs } from '../../../../web/screens/api-docs/words/en-api-docs.ts';
import { jaApiDocs } from '../../../../web/screens/api-docs/words/ja-api-docs.ts';

const catalogues = { en: { ...en, ...enApiDocs }, ja: { ...ja, ...jaApiDocs } };
const text: ApiDocsText = createTextOf(catalogues, 'en', 'UTC');

// The platform's own description, as it is checked in.
const file = new URL('../../../../docs/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApi;
const operations = operationsOf(document);
const named = (id: string) => operations.find((one) => one.id === id)!;

describe('the operations of the platform', () => {
  it('are found by words of their path, method, name and problem codes, in any case', () => {
    const ids = (search: string) => findOperations(operations, search).map(({ id }) => id);

    expect(ids('POST reserved_name')).toEqual(['gateway_registerService']);
    expect(ids('ｋｅｙｓ  delete')).toEqual(['gateway_revokeKey']);
    expect(ids('')).toHaveLength(operations.length);
    expect(ids('nothing-like-it')).toEqual([]);
  });

  it('say who may call them', () => {
    expect(accessOf(named('gateway_signIn').operation)).toBe('public');
    expect(accessOf(named('gateway_listServices').operation)).toBe('authenticated');
    expect(accessOf(named('gateway_registerService').operation)).toBe('admin');
  });

  it('become commands with their examples, quoted for a shell', () => {
    const signIn = named('gateway_signIn');
    const content = { 'application/json': { example: { key: "it's" } } };
    const operation = { ...signIn.operation, requestBody: { content } };

    expect(curlOf({ ...signIn, operation, parameters: [] }, 'http://gateway')).toBe(
      [
        `curl -X POST 'http://gateway/api/session' \\`,
        `  -H 'Content-Type: application/json' \\`,
        String.raw`  --data '{"key":"it'\''s"}'`,
      ].join('\n'),
    );
    expect(curlOf(named('gateway_listKeys'), 'http://gateway')).toContain('Bearer $SPIKEGRID_KEY');
  });

  it('become addresses with what was typed, each part encoded', () => {
    const values = { id: 'a/b', tag: 'x, y:z' };
    expect(addressOf(named('registry_getModel'), values)).toBe('/registry/models/a%2Fb');
    expect(addressOf(named('registry_listModels'), values)).toBe(
      '/registry/models?tag=x&tag=y%3Az',
    );
  });
});

describe('a schema in words', () => {
  const reading = { document, text };

  it.each<[JsonSchema, string]>([
    [{ type: 'integer', minimum: 1, maximum: 9 }, 'integer, from 1, to 9'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ anyOf: [{ type: 'number', minimum: 1 }, { type: 'null' }] }, 'number, from 1 or null'],
    [{ enum: ['a', 'b'] }, 'one of "a", "b"'],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 8 },
      'list of string, at most 8 elements',
    ],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of string'],
    [{ $ref: '#/components/schemas/ServiceRecord' }, 'ServiceRecord'],
    [{ type: 'string', format: 'date-time', pattern: '^\\d+$' }, 'string (date-time)'],
    [{ type: 'string', pattern: '^a$', default: 'a' }, 'string, pattern ^a$, default "a"'],
    [{}, 'any'],
    [
      { $ref: '#/components/schemas/NewMemoryInput' },
      'NewMemoryInput, exactly one of content, messages',
    ],
    [
      { $ref: '#/components/schemas/InferRequestInput' },
      'InferRequestInput, at most one of version, alias',
    ],
    [
      {
        type: 'object',
        properties: { a: {}, b: {} },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      'object, at least one of a, b',
    ],
  ])('%j is %s', (schema, words) => {
    expect(typeText(reading, schema)).toBe(words);
  });

  it('says what a named value stands for', () => {
    expect(typeText(reading, { $ref: '#/components/schemas/ServiceStatus' })).toBe(
      'ServiceStatus: one of "passing", "warning", "critical", "unknown"',
    );
  });

  it('unfolds the elements of a list in its place', () => {
    const list: JsonSchema = { $ref: '#/components/schemas/ServiceList' };
    const [services] = membersOf(reading, list);

    expect(services?.name).toBe('services');
    expect(membersOf(reading, services!.schema).map(({ name }) => name)).toContain('instances');
  });

  it('unfolds the members of an object that has a choice among them', () => {
    const memory: JsonSchema = { $ref: '#/components/schemas/NewMemoryInput' };

    const names = membersOf(reading, memory).map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining(['content', 'messages', 'namespace']));
  });

  it('comes to an end where a schema holds nothing but itself', () => {
    const knot = {
      components: { schemas: { Knot: { items: { $ref: '#/components/schemas/Knot' } } } },
    };

    expect(
      membersOf(
        { document: { ...document, ...knot }, text },
        { $ref: '#/components/schemas/Knot' },
      ),
    ).toEqual([]);
  });
});
