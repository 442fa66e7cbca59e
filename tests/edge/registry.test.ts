import { beforeAll, describe, expect, it } from 'vitest';
import { ModelList } from '../../edge/registry/contract/model-list.ts';
import { ModelDetails, VersionRecord } from '../../edge/registry/contract/model.ts';
import {
  type SharedEdge,
  postJson,
  problemOf,
  registerModel,
  sharedEdge,
  tiny,
  upload,
} from './harness.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

const at = (path: string) => new URL(path, edge.registry);
const register = (fields: object) => postJson(at('/models/register'), { ...tiny, ...fields });
const show = async (path: string) => ModelDetails.parse(await (await fetch(at(path))).json());
const list = async (query: string) =>
  ModelList.parse(await (await fetch(at(`/models?${query}`))).json());

const made = async (model_id: string, created_at: string) =>
  (await (await register({ model_id, created_at })).json()) as { created_at: string };

const post = (body: NonNullable<RequestInit['body']>, type: string | null = 'application/json') =>
  fetch(at('/models/register'), {
    method: 'POST',
    body,
    duplex: 'half',
    headers: type === null ? {} : { 'content-type': type },
  });

const idsOf = async (query: string) =>
  (await list(`framework=ff&${query}`)).models.map(({ model_id }) => model_id);

describe('registering a version', () => {
  it('answers 201 with the record and its address', async () => {
    const answer = await register({ model_id: 'first', tags: { stage: 'test' } });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/models/first?version=1.0.0');
    expect(VersionRecord.parse(await answer.json())).toMatchObject({
      ...tiny,
      model_id: 'first',
      status: 'PENDING',
      status_message: 'waiting for model.safetensors and config.json',
      tags: { stage: 'test' },
      aliases: [],
      files: [],
      total_size_bytes: 0,
      manifest_digest: null,
    });
  });

  it('names an address that holds behind the gateway too', async () => {
    const url = new URL('/registry/models/register', edge.gateway);
    const answer = await postJson(url, { ...tiny, model_id: 'behind', version: '1.0.0+build' });
    const location = answer.headers.get('location') ?? '';

    expect(location).toBe('/registry/models/behind?version=1.0.0%2Bbuild');
    expect((await fetch(new URL(location, url))).status).toBe(200);
  });

  it('answers 200 to a repeat and 409 to other content, naming what differs', async () => {
    await register({ model_id: 'twice' });

    const repeat = await register({ model_id: 'twice' });
    const other = await register({ model_id: 'twice', name: 'Other', framework: 'x' });

    expect(repeat.status).toBe(200);
    expect(await repeat.json()).toMatchObject({ name: 'Tiny' });
    expect(other.status).toBe(409);
    expect(await problemOf(other)).toMatchObject({
      code: 'version_immutable',
      detail: 'twice 1.0.0 is registered already, with another framework, name.',
      differs: ['framework', 'name'],
    });
  });

  it('creates it once, however many concurrent requests there are', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register({ model_id: 'raced' })),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201]);
    expect((await show('/models/raced')).versions).toHaveLength(1);
  });

  it('reads a time without a zone as UTC', async () => {
    expect((await made('utc', '2026-11-20T10:00:00.5')).created_at).toBe(
      '2026-11-20T10:00:00.500Z',
    );
    expect((await made('jst', '2026-11-20T19:00:00+09:00')).created_at).toBe(
      '2026-11-20T10:00:00.000Z',
    );
  });

  it.each<[object, string, string]>([
    [{ model_id: 'Tiny' }, '/model_id', '(got "Tiny")'],
    [{ model_id: '../x' }, '/model_id', '(got "../x")'],
    [{ model_id: 'a'.repeat(129) }, '/model_id', 'expected 1 to 128'],
    [{ version: '1.0' }, '/version', 'SemVer 2.0.0'],
    [{ name: '' }, '/name', '>=1'],
    [{ name: 5 }, '/name', 'expected string, received number (got 5)'],
    [{ created_at: 'yesterday' }, '/created_at', 'ISO datetime'],
    [{ tags: { 'a:b': 'x' } }, '/tags/a:b', 'expected a key'],
    [{ tokenizer_digest: 'abc' }, '/tokenizer_digest', '64 hex digits'],
    [{ frame_work: 'x' }, '/frame_work', 'unknown name'],
    [{ model_spec: { model_spec_version: 1 } }, '/model_spec/model_family', 'expected string'],
  ])('refuses %j and points at it', async (fields, pointer, detail) => {
    const answer = await register(fields);
    const problem = await problemOf(answer);

    expect(answer.status).toBe(422);
    expect(problem.code).toBe('validation_failed');
    expect(problem.errors?.find((error) => error.pointer === pointer)?.detail).toContain(detail);
  });
});

describe('a JSON body', () => {
  it('that is none is a 400', async () => {
    for (const body of ['{', '', '{"a":1}x', new Uint8Array([0x22, 0xff, 0x22])]) {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(await problemOf(answer)).toMatchObject({ code: 'invalid_json' });
    }
  });

  it('of another type is a 415 that says which it takes', async () => {
    const answer = await post('{}', 'text/plain');

    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept')).toBe('application/json');
    expect(await problemOf(answer)).toMatchObject({
      code: 'unsupported_media_type',
      detail: 'The body came of type text/plain, expected application/json.',
    });
  });

  it('of more than 1 MiB is a 413, with its length declared or not', async () => {
    const large = new Blob([`"${'x'.repeat(1024 * 1024)}"`]);

    for (const body of [large, large.stream()]) {
      const answer = await post(body);
      expect(answer.status).toBe(413);
      expect(await problemOf(answer)).toMatchObject({ code: 'payload_too_large' });
    }
  });

  it('may hold up to 1 MiB', async () => {
    const answer = await post(JSON.stringify('x'.repeat(1024 * 1024 - 2)));

    expect(answer.status).toBe(422);
  });
});

describe('a model', () => {
  it('is shown by its version of the highest precedence, with all the others', async () => {
    const versions = ['1.0.0', '2.0.0-rc.1', '1.10.0', '2.0.0-rc.11', '2.0.0-rc.2', '1.9.0'];
    for (const version of versions) await register({ model_id: 'many', version });

    const shown = await show('/models/many');
    const asked = await show('/models/many?version=1.9.0');

    expect(shown.version).toBe('2.0.0-rc.11');
    expect(shown.versions.map(({ version }) => version)).toEqual([
      '2.0.0-rc.11',
      '2.0.0-rc.2',
      '2.0.0-rc.1',
      '1.10.0',
      '1.9.0',
      '1.0.0',
    ]);
    expect(asked.version).toBe('1.9.0');

    await register({ model_id: 'many', version: '2.0.0' });
    expect((await show('/models/many')).version).toBe('2.0.0');
  });

  it('that does not exist is a 404, as is a version of it', async () => {
    await registerModel(edge.registry, 'known');

    for (const [path, detail] of [
      ['/models/unknown', 'There is no model unknown.'],
      ['/models/known?version=9.9.9', 'There is no version 9.9.9 of a model known.'],
      ['/models/No%20Such', 'There is no model "No Such": expected 1 to 128'],
    ] as const) {
      const answer = await fetch(at(path));
      expect(answer.status).toBe(404);
      const problem = await problemOf(answer);
      expect(problem.code).toBe('model_not_found');
      expect(problem.detail).toContain(detail);
    }
  });

  it('requested in an invalid version is a 400', async () => {
    const answer = await fetch(at('/models/known?version=latest'));

    expect(answer.status).toBe(400);
    expect(await problemOf(answer)).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'version' }],
    });
  });

  it('is ready once its files are complete', async () => {
    const model = await registerModel(edge.registry, 'complete');
    await upload(model, { filename: 'config.json' }, '{}');
    expect((await show('/models/complete')).status).toBe('PENDING');

    await upload(model, { filename: 'model.safetensors' }, 'weights');

    expect(await show('/models/complete')).toMatchObject({
      status: 'READY',
      status_message: '',
      total_size_bytes: 9,
      files: [
        { filename: 'config.json', content_type: 'application/json' },
        { filename: 'model.safetensors', content_type: 'application/octet-stream' },
      ],
      versions: [{ version: '1.0.0', status: 'READY', total_size_bytes: 9 }],
    });
  });
});

describe('the list of models', () => {
  it('pages through 250 models, each once, while others are registered', async () => {
    const ids = Array.from({ length: 250 }, (_, i) => `paged-${String(i).padStart(3, '0')}`);
    for (const model_id of ids) await register({ model_id, model_type: 'paged' });

    const seen: string[] = [];
    let cursor: string | null = null;
    const sizes: number[] = [];
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await list(`model_type=paged&limit=100${query}`);
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.models.map(({ model_id }) => model_id));
      sizes.push(page.models.length);
      cursor = page.next_cursor;
      await register({ model_id: `late-${sizes.length}`, model_type: 'paged' });
    } while (cursor !== null);

    expect(sizes).toEqual([100, 100, 50]);
    expect(seen).toEqual(ids.toReversed());
    expect((await list('model_type=paged&limit=1')).total).toBe(253);
  });

  it('shows 20 at a time where no limit is given', async () => {
    expect((await list('')).models).toHaveLength(20);
  });

  it('filters by name, type, framework and tags, each by its default version', async () => {
    await register({
      model_id: 'f-1',
      name: 'ＡＢＣ Model',
      framework: 'ff',
      tags: { stage: 'prod' },
    });
    await register({
      model_id: 'f-2',
      name: 'abc other',
      framework: 'ff',
      tags: { stage: 'dev', a: 'x:y' },
    });
    await register({ model_id: 'f-3', name: 'スパイク', framework: 'ff', model_type: 'vision' });
    await register({ model_id: 'f-2', name: 'renamed', version: '0.9.0', framework: 'ff' });
    expect(await idsOf('')).toEqual(['f-3', 'f-2', 'f-1']);
    expect(await idsOf('name=AbC')).toEqual(['f-2', 'f-1']);
    expect(await idsOf('name=renamed')).toEqual([]);
    expect(await idsOf(`name=${encodeURIComponent('ｽﾊﾟｲｸ')}`)).toEqual(['f-3']);
    expect(await idsOf('name=%25')).toEqual([]);
    expect(await idsOf('model_type=vision')).toEqual(['f-3']);
    expect(await idsOf('tag=stage')).toEqual(['f-2', 'f-1']);
    expect(await idsOf('tag=stage:prod')).toEqual(['f-1']);
    expect(await idsOf('tag=stage:dev&tag=a:x:y')).toEqual(['f-2']);
    expect(await idsOf('tag=stage:prod&tag=a')).toEqual([]);
  });

  it('answers total, has_more and a null cursor where nothing matches', async () => {
    expect(await list('framework=none')).toEqual({
      models: [],
      total: 0,
      has_more: false,
      next_cursor: null,
    });
  });

  it.each([
    ['limit=0', 'limit', '(got "0")'],
    ['limit=101', 'limit', 'from 1 to 100'],
    ['limit=1e1', 'limit', 'whole number'],
    ['limit=1&limit=2', 'limit', 'expected string'],
    ['tag=a/b', 'tag', 'expected "key" or "key:value"'],
    ['frame=x', 'frame', 'unknown name'],
    ['cursor=abc', 'cursor', 'expected the next_cursor'],
    ['cursor=WzFd', 'cursor', 'expected the next_cursor'],
  ])('refuses %s', async (query, parameter, detail) => {
    const answer = await fetch(at(`/models?${query}`));
    const problem = await problemOf(answer);

    expect(answer.status).toBe(400);
    expect(problem.code).toBe('invalid_parameter');
    expect(problem.errors?.[0]?.parameter).toBe(parameter);
    expect(problem.errors?.[0]?.detail).toContain(detail);
  });

  it('refuses a cursor of a list with other filters', async () => {
    const { next_cursor } = await list('model_type=paged&limit=1');

    const answer = await fetch(
      at(`/models?limit=1&cursor=${encodeURIComponent(next_cursor ?? '')}`),
    );

    expect(answer.status).toBe(400);
    expect((await problemOf(answer)).detail).toContain('other filters');
  });
});
