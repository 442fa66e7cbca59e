import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKey } from '../../edge/access/contract/keys.ts';
import { Lineage } from '../../edge/registry/contract/lineage.ts';
import { ModelDetails, VersionRecord } from '../../edge/registry/contract/model.ts';
import { ModelList } from '../../edge/registry/contract/model-list.ts';
import { bytesOf, problemOf, tiny } from './harness.ts';
import { type GuardedEdge, send, type Sending, startGuardedEdge } from './keys-in-hand.ts';
import { smallJob, trainingClient } from './training-client.ts';
import { metadataOf } from './tus-client.ts';
import { bearer } from './upgrade.ts';

let edge: GuardedEdge;
let anna: CreatedKey;
let ben: CreatedKey;
let cleo: CreatedKey;
let lead: CreatedKey;

const WRITER = ['registry:read', 'registry:write', 'train', 'infer'] as const;

beforeAll(async () => {
  edge = await startGuardedEdge({
    vars: { QUOTAS: { models: { owner: 3 }, model_bytes: { owner: 3000 } } },
  });
  anna = await edge.keyFor(WRITER, { team: 'vision' });
  ben = await edge.keyFor(WRITER, { team: 'vision' });
  cleo = await edge.keyFor([...WRITER, 'team:admin'], { team: 'audio' });
  lead = await edge.keyFor([...WRITER, 'team:admin'], { team: 'vision' });
  expect((await register(anna, 'whale', '1.0.0')).status).toBe(201);
  expect((await putFile(anna, 'whale', 'notes.txt')).status).toBe(201);
  expect((await setAlias(anna, 'production', '1.0.0')).status).toBe(201);
});
afterAll(() => edge[Symbol.asyncDispose]());

const ask = ({ key }: CreatedKey, path: string, more: Sending = {}) =>
  send(new URL(path, edge.registry), { key, ...more });
const register = (who: CreatedKey, model_id: string, version: string, more = {}) =>
  ask(who, '/models/register', {
    method: 'POST',
    json: { ...tiny, model_id, version, framework: 'other', ...more },
  });
const putFile = ({ key }: CreatedKey, model: string, filename: string, size = 1000) =>
  fetch(new URL(`/models/${model}/upload?filename=${filename}&version=1.0.0`, edge.registry), {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...bearer(key) },
    body: bytesOf(size, 3),
  });
const setAlias = (who: CreatedKey, alias: string, version: string) =>
  ask(who, `/models/whale/aliases/${alias}`, { method: 'PUT', json: { version } });
const beginUpload = (who: CreatedKey, filename: string, size = 10) =>
  ask(who, '/models/whale/uploads', {
    method: 'POST',
    headers: {
      ...{ 'tus-resumable': '1.0.0', 'upload-length': String(size) },
      'upload-metadata': metadataOf({ filename, version: '1.0.0' }),
    },
  });

async function refusalOf(answer: Response) {
  const { code, detail, status } = await problemOf(answer);
  return { status, code, detail };
}

/** Everything that is asked of one model. */
const reads: readonly (readonly [string, Sending])[] = [
  ['/models/whale', {}],
  ['/models/whale?alias=production', {}],
  ['/models/whale?alias=staging', {}],
  ['/models/whale/versions/1.0.0', {}],
  ['/models/whale/aliases/production', {}],
  ['/models/whale/lineage', {}],
  ['/models/whale/download/notes.txt', {}],
  [
    '/models/whale/compatibility',
    { method: 'POST', json: { artifact_digest: `sha256:${'0a'.repeat(32)}` } },
  ],
];
const changes: readonly (readonly [string, Sending])[] = [
  ['/models/whale/aliases/production', { method: 'PUT', json: { version: '1.0.0' } }],
  ['/models/whale/aliases/staging', { method: 'PUT', json: { version: '1.0.0' } }],
  ['/models/whale/aliases/production', { method: 'DELETE' }],
  ['/models/whale/versions/1.0.0', { method: 'PATCH', json: { description: 'mine' } }],
  ['/models/whale/versions/1.0.0?force=true', { method: 'DELETE' }],
  ['/models/whale?force=true', { method: 'DELETE' }],
];

describe('a model', () => {
  it('is read, and added to, by its team; changed by its owner', async () => {
    for (const [path, request] of reads) {
      const { status } = await ask(ben, path, request);
      expect([path, status]).toEqual([path, path.includes('staging') ? 404 : 200]);
    }
    for (const [path, request] of changes) {
      expect(await refusalOf(await ask(ben, path, request)), path).toMatchObject({
        ...{ status: 403, code: 'forbidden' },
        detail: expect.stringContaining('team:admin'),
      });
    }
    expect((await putFile(ben, 'whale', 'planted.bin')).status).toBe(403);
    expect((await beginUpload(ben, 'planted.bin')).status).toBe(403);
    const added = VersionRecord.parse(await (await register(ben, 'whale', '0.9.0')).json());
    expect(added).toMatchObject({ owner: ben.key_id, created_by: ben.key_id, team: 'vision' });
    // Whoever owns the model has the last word on what is added to it.
    const removal = { method: 'DELETE' };
    expect((await ask(anna, '/models/whale/versions/0.9.0', removal)).status).toBe(200);
    expect((await setAlias(lead, 'staging', '1.0.0')).status).toBe(201);
    expect((await ask(anna, '/models/whale/aliases/staging', removal)).status).toBe(204);
  });

  it('does not exist for another team, and its id is but taken', async () => {
    for (const [path, request] of [...reads, ...changes]) {
      const answers = [path, path.replace('whale', 'nowhere')].map(async (one) =>
        refusalOf(await ask(cleo, one, request)),
      );
      const [theirs, unknown] = await Promise.all(answers);
      expect(theirs?.status, path).toBe(404);
      expect(theirs?.detail.replaceAll('whale', 'nowhere')).toBe(unknown?.detail);
      expect(theirs?.code).toBe(unknown?.code);
    }
    expect((await putFile(cleo, 'whale', 'planted.bin')).status).toBe(404);
    expect((await beginUpload(cleo, 'planted.bin')).status).toBe(404);
    for (const version of ['1.0.0', '2.0.0', '0.9.0']) {
      const taken = await refusalOf(await register(cleo, 'whale', version));
      expect(taken).toMatchObject({ status: 409, code: 'already_exists' });
      expect(taken.detail).not.toContain('vision');
    }
    const list = ModelList.parse(await (await ask(cleo, '/models')).json());
    expect(list).toMatchObject({ models: [], total: 0 });
    expect(ModelList.parse(await (await ask(ben, '/models')).json()).total).toBe(1);
  });

  it('of another team is no parent, no base, no name of a result and answers nothing', async () => {
    const child = { parent_model_id: 'whale' };
    const made = VersionRecord.parse(await (await register(cleo, 'calf', '1.0.0', child)).json());
    expect(made.parent_version).toBeNull();
    const known = { ...child, parent_version: '1.0.0' };
    expect((await register(cleo, 'calf', '1.1.0', known)).status).toBe(201);
    const graph = Lineage.parse(
      await (await ask(cleo, '/models/calf/lineage?version=1.1.0')).json(),
    );
    expect(graph.nodes.find(({ model_id: id }) => id === 'whale')?.state).toBe('unknown');
    const seen = Lineage.parse(await (await ask(anna, '/models/whale/lineage')).json());
    expect(seen.nodes.map(({ model_id: id }) => id)).not.toContain('calf');

    const refused = async (json: object) => {
      const submitted = await send(new URL('/train', edge.training), {
        ...{ key: cleo.key, method: 'POST', json: { ...smallJob, ...json } },
      });
      return (await problemOf(submitted)).code;
    };
    expect(await refused({ base_model: { model_id: 'whale' } })).toBe('model_not_found');
    expect(await refused({ output_name: 'whale' })).toBe('already_exists');
    const ofLm = { category: 'LangText', dataset_path: 'corpora/lm.txt', steps: 10 };
    const balanced = await send(new URL('/train', edge['lm-training']), {
      ...{ key: cleo.key, method: 'POST', json: { ...ofLm, output_name: 'whale' } },
    });
    expect((await problemOf(balanced)).code).toBe('already_exists');
    for (const [path, json] of [
      ['/infer', { model_id: 'whale', inputs: { text: 'a' } }],
      ['/load_model/whale', {}],
    ] as const) {
      const at = new URL(path, edge['edge-inference']);
      const answer = await send(at, { key: cleo.key, method: 'POST', json });
      expect(await refusalOf(answer), path).toMatchObject({ code: 'model_not_found' });
    }
  });

  it('keeps its id for its team once it is deleted', async () => {
    await register(anna, 'krill', '1.0.0');
    const removal = { method: 'DELETE' };
    expect((await ask(anna, '/models/krill', removal)).status).toBe(200);

    expect((await register(cleo, 'krill', '2.0.0')).status).toBe(409);
    expect((await register(ben, 'krill', '2.0.0')).status).toBe(201);
    expect((await ask(lead, '/models/krill', removal)).status).toBe(200);
  });

  it('that a trainer registers is the job owner’s, and its files come from the trainer alone', async () => {
    const [annas, trainers] = [anna, ben].map(({ key }) =>
      trainingClient(edge.training, bearer(key)),
    );
    const trainer = await trainers!.announce();
    const job = await annas!.submit({ model_name: 'trained' });
    const more = { job_id: job.job_id };
    // Before it holds the job, its word is worth nothing.
    const early = VersionRecord.parse(await (await register(ben, 'early', '1.0.0', more)).json());
    expect(early.owner).toBe(ben.key_id);
    const lease = await trainers!.lease(trainer.trainer_id);
    expect(lease?.job.job_id).toBe(job.job_id);

    const made = await register(ben, 'trained', '1.0.0', more);

    expect(VersionRecord.parse(await made.json())).toMatchObject({
      ...{ owner: anna.key_id, created_by: ben.key_id, team: 'vision' },
    });
    expect((await putFile(ben, 'trained', 'weights.bin', 10)).status).toBe(201);
    // A trainer of another key goes on with the job, and with what of its result is there.
    const dora = await edge.keyFor(WRITER, { team: 'vision' });
    expect((await putFile(dora, 'trained', 'late.bin', 10)).status).toBe(403);
    await trainers!.end(lease!, { outcome: 'released', reason: 'moves on' });
    const doras = trainingClient(edge.training, bearer(dora.key));
    const next = await doras.lease((await doras.announce()).trainer_id);
    expect(next?.job.job_id).toBe(job.job_id);
    expect((await putFile(dora, 'trained', 'late.bin', 10)).status).toBe(201);
    expect((await ask(ben, '/models/trained', { method: 'DELETE' })).status).toBe(403);
    expect((await ask(anna, '/models/trained', { method: 'DELETE' })).status).toBe(200);
  });

  it('has uploads that only who began them goes on with', async () => {
    const begun = await beginUpload(anna, 'large.bin');
    const path = new URL(begun.headers.get('location') ?? '', edge.registry).pathname;
    const headers = { 'tus-resumable': '1.0.0' };
    const status = async (who: CreatedKey, method: string) =>
      (await ask(who, path, { method, headers })).status;

    expect([await status(ben, 'HEAD'), await status(ben, 'DELETE')]).toEqual([200, 403]);
    expect([await status(cleo, 'HEAD'), await status(cleo, 'DELETE')]).toEqual([404, 404]);
    const chunk = { ...headers, 'upload-offset': '0', ...bearer(ben.key) };
    const sent = await fetch(new URL(path, edge.registry), {
      method: 'PATCH',
      headers: { ...chunk, 'content-type': 'application/offset+octet-stream' },
      body: bytesOf(10, 1),
    });
    expect(sent.status).toBe(403);
    expect(await status(anna, 'DELETE')).toBe(204);
  });

  it('counts towards the quotas of its owner', async () => {
    const shown = ModelDetails.parse(await (await ask(anna, '/models/whale')).json());
    expect(shown.total_size_bytes).toBe(1000);
    const refused = await putFile(anna, 'whale', 'huge.bin', 2500);
    expect(await problemOf(refused)).toMatchObject({
      ...{ status: 403, quota: 'model_bytes', scope: 'owner', limit: 3000, used: 1000 },
      reset_s: null,
    });
    expect(await problemOf(await beginUpload(anna, 'huge.bin', 2500))).toMatchObject({
      ...{ status: 403, code: 'quota_exceeded', quota: 'model_bytes' },
    });
    for (const id of ['two', 'three']) expect((await register(anna, id, '1.0.0')).status).toBe(201);
    expect(await problemOf(await register(anna, 'four', '1.0.0'))).toMatchObject({
      ...{ quota: 'models', limit: 3, used: 3 },
    });
    // More versions of what there is are none more.
    expect((await register(anna, 'two', '1.1.0')).status).toBe(201);
  });
});
