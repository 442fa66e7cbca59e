import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Link, MediaTypes, OpenApiDocument } from '../../edge/api-description/document.ts';
import { documentOf } from '../../edge/api-description/platform.ts';
import { requestHeader } from '../../edge/api-description/headers.ts';
import { SERVICE_NAMES } from '../../edge/api-description/services.ts';
import { codesOf } from './documented-answers.ts';
import {
  type Described,
  judgeBy,
  lookUp,
  operationsIn,
  responseOf,
  objectsIn,
  patternsIn,
} from './openapi-schemas.ts';

const documents = SERVICE_NAMES.map((name) => {
  const document = JSON.parse(JSON.stringify(documentOf(name))) as OpenApiDocument;
  return [name, document] as const;
});
const [[, whole] = ['gateway', documentOf('gateway')] as const] = documents;

const judge = judgeBy(whole, { closed: true });
const KEY = new RegExp(requestHeader('idempotency-key').pattern!);

/** A WebSocket: its success is 101, which some tools do not count as one. */
const SOCKETS = new Set(['gateway_streamLogs', 'gateway_connectService']);

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

describe('the document of the gateway', () => {
  const operations = new Map(operationsIn(whole).map((described) => [described.id, described]));
  const ofId = (id: string) => operations.get(id)!;

  it.each([
    ['/inference/batch_infer', 'inference_batchInfer'],
    ['/inference/v2/models/{id}/infer', 'inference_modelInfer'],
    ['/inference/load_model/{id}', 'inference_loadModel'],
    ['/plugin-host/plugins/{name}/execute', 'plugin-host_executePlugin'],
    ['/lm-training/training-capacity', 'lm-training_trainingCapacity'],
    ['/test/run-tests', 'gateway_runTests'],
    ['/test-host/test/runs', 'test-host_listTestRuns'],
  ])('has %s, which a service of Node answers', (path, id) => {
    expect(ofId(id).path).toBe(path);
  });

  it.each(['gateway_inferV1', 'gateway_generate', 'inference_infer', 'edge-inference_infer'])(
    '%s: has the refusals of who answers it',
    (id) => {
      const codes = [400, 404, 422].flatMap((status) => codesOf(whole, ofId(id), status));

      expect(codes).toEqual(
        expect.arrayContaining([
          'invalid_json',
          'model_not_found',
          'alias_not_found',
          'validation_failed',
        ]),
      );
    },
  );

  it('refuses at v2 in the form of the protocol, and on the way there in ours', () => {
    const refused = responseOf(whole, ofId('inference_modelInfer'), 404)!.content!;

    expect(refused['application/json']!.schema).toEqual({
      $ref: '#/components/schemas/InferenceError',
    });
    expect(codesOf(whole, ofId('inference_modelInfer'), 404)).toContain('service_not_found');
    expect(ofId('inference_modelInfer').operation.responses).not.toHaveProperty('422');
  });

  it.each<[string, unknown, unknown]>([
    ['gateway_storeMemory', { content: 'a' }, { content: 'a', messages: [] }],
    ['monitoring_previewRule', { expr: 'up > 0' }, {}],
    ['inference_infer', { model_id: 'a', inputs: { text: 'b' } }, { model_id: 'a', inputs: {} }],
    ['inference_loadModel', { alias: 'a' }, { alias: 'a', version: '1.0.0' }],
    ['gateway_registerService', { name: 'a', url: 'http://b' }, { name: 'a' }],
    [
      'training_train',
      { model_type: 'spiking_vision', dataset_path: 'a', config: { steps: 1 } },
      { model_type: 'spiking_vision', dataset_path: 'a', config: { steps: 1, epochs: 1 } },
    ],
    [
      'training_train',
      { model_type: 'spiking_vision', dataset_path: 'a/b', config: { steps: 1 } },
      { model_type: 'spiking_vision', dataset_path: 'a/../b', config: { steps: 1 } },
    ],
  ])('%s: tells %j from %j', (id, right, wrong) => {
    const { schema } = ofId(id).operation.requestBody!.content['application/json']!;

    expect(judge(schema!, right)).toBe('');
    expect(judge(schema!, wrong)).not.toBe('');
  });

  it.each(['a', '550e8400-e29b-41d4-a716-446655440000', '"quoted"', 'a'.repeat(255)])(
    'takes the Idempotency-Key %s',
    (key) => expect(KEY.test(key)).toBe(true),
  );
  it.each(['', '""', 'a b', 'é', 'a'.repeat(256), 'a\n'])(
    'does not take the Idempotency-Key %j',
    (key) => expect(KEY.test(key)).toBe(false),
  );
});
