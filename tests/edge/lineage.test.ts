import { beforeAll, describe, expect, it } from 'vitest';
import { Lineage, MAX_LINEAGE_NODES } from '../../edge/registry/contract/lineage.ts';
import {
  ModelDetails,
  Registration,
  type RegistrationInput,
} from '../../edge/registry/contract/model.ts';
import { type LineageSource, lineageOf, type VersionRef } from '../../edge/registry/lineage.ts';
import { type SharedEdge, postJson, problemOf, sharedEdge, tiny } from './harness.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

const at = (path: string) => new URL(path, edge.registry);
const DIGEST = `sha256:${'d'.repeat(64)}`;

async function register(model_id: string, fields: Partial<RegistrationInput> = {}): Promise<void> {
  const answer = await postJson(at('/models/register'), { ...tiny, model_id, ...fields });
  expect(answer.status).toBe(201);
}

const lineage = async (path: string) => Lineage.parse(await (await fetch(at(path))).json());

/** Labels of versions by generation, such as `-1 base 1.0.0`. */
const versionsIn = ({ nodes }: Lineage) =>
  nodes
    .filter(({ kind }) => kind === 'version')
    .map(
      ({ generation, label, state }) =>
        `${generation} ${label}${state === 'present' ? '' : ` ${state}`}`,
    )
    .toSorted();

const derivations = ({ edges }: Lineage) =>
  edges
    .filter(({ relation }) => relation === 'derived_from')
    .map(({ source, target }) => `${source} > ${target}`);

describe('the lineage of a version', () => {
  it('shows what it was made from and what was made from it', async () => {
    await register('base', { dataset_digest: DIGEST, job_id: 'job_1' });
    await register('middle', {
      parent_model_id: 'base',
      parent_version: '1.0.0',
      dataset_digest: DIGEST,
    });
    await register('leaf-a', { parent_model_id: 'middle', tokenizer_digest: DIGEST });
    await register('leaf-b', { parent_model_id: 'middle', model_spec_digest: DIGEST });
    await register('cousin', { parent_model_id: 'base' });

    const both = await lineage('/models/middle/lineage');

    expect(versionsIn(both)).toEqual([
      '-1 base 1.0.0',
      '0 middle 1.0.0',
      '1 leaf-a 1.0.0',
      '1 leaf-b 1.0.0',
    ]);
    expect(both).toMatchObject({ root: 'version:middle@1.0.0', truncated: false });
    expect(derivations(both)).toEqual([
      'version:middle@1.0.0 > version:base@1.0.0',
      'version:leaf-a@1.0.0 > version:middle@1.0.0',
      'version:leaf-b@1.0.0 > version:middle@1.0.0',
    ]);
    // One data set, however many were trained on it.
    expect(both.nodes.filter(({ kind }) => kind === 'dataset')).toMatchObject([{ digest: DIGEST }]);
    expect(both.edges.filter(({ relation }) => relation === 'trained_on')).toHaveLength(2);
    expect(both.nodes.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['job', 'tokenizer', 'model_spec']),
    );
    const ids = new Set(both.nodes.map(({ id }) => id));
    for (const { source, target } of both.edges)
      expect([ids.has(source), ids.has(target)]).toEqual([true, true]);

    expect(versionsIn(await lineage('/models/middle/lineage?direction=up'))).toHaveLength(2);
    expect(versionsIn(await lineage('/models/base/lineage?direction=down&depth=1'))).toEqual([
      '0 base 1.0.0',
      '1 cousin 1.0.0',
      '1 middle 1.0.0',
    ]);
    expect((await lineage('/models/base/lineage?depth=1')).truncated).toBe(true);
    expect((await lineage('/models/base/lineage?depth=2')).truncated).toBe(false);
  });

  it('takes the parent of a continued training from its model_spec, at its version of then', async () => {
    const spec = { model_spec_version: 1, model_family: 'f', architecture: 'a' };
    await register('self');
    await register('self', { version: '1.1.0', model_spec: { ...spec, parent_model_id: 'self' } });
    await register('self', { version: '2.0.0' });

    const details = ModelDetails.parse(
      await (await fetch(at('/models/self?version=1.1.0'))).json(),
    );
    expect(details).toMatchObject({ parent_model_id: 'self', parent_version: '1.0.0' });
    expect(versionsIn(await lineage('/models/self/lineage?version=1.1.0'))).toEqual([
      '-1 self 1.0.0',
      '0 self 1.1.0',
    ]);
  });

  it('keeps the place of a version that was deleted', async () => {
    await register('old');
    await register('dead', { parent_model_id: 'old' });
    await register('young', { parent_model_id: 'dead' });
    await fetch(at('/models/dead?force=true'), { method: 'DELETE' });

    expect(versionsIn(await lineage('/models/young/lineage'))).toEqual([
      '-1 dead 1.0.0 deleted',
      '-2 old 1.0.0',
      '0 young 1.0.0',
    ]);
    expect(versionsIn(await lineage('/models/old/lineage'))).toContain('2 young 1.0.0');
  });

  it('ends at a parent nobody knows, and in a circle', async () => {
    await register('orphan', { parent_model_id: 'never' });
    await register('ring-a', { parent_model_id: 'ring-b', parent_version: '1.0.0' });
    await register('ring-b', { parent_model_id: 'ring-a', parent_version: '1.0.0' });

    expect(versionsIn(await lineage('/models/orphan/lineage'))).toEqual([
      '-1 never unknown',
      '0 orphan 1.0.0',
    ]);
    const ring = await lineage('/models/ring-a/lineage?depth=20');
    expect(versionsIn(ring)).toHaveLength(2);
    expect(derivations(ring).toSorted()).toEqual([
      'version:ring-a@1.0.0 > version:ring-b@1.0.0',
      'version:ring-b@1.0.0 > version:ring-a@1.0.0',
    ]);
  });

  it.each([
    ['/models/none/lineage', 404, 'model_not_found'],
    ['/models/base/lineage?alias=x', 404, 'alias_not_found'],
    ['/models/base/lineage?depth=21', 400, 'invalid_parameter'],
    ['/models/base/lineage?direction=left', 400, 'invalid_parameter'],
  ])('at %s is refused', async (path, status, code) => {
    const answer = await fetch(at(path));

    expect(answer.status).toBe(status);
    expect(await problemOf(answer)).toMatchObject({ code });
  });

  it('needs a parent for a parent version', async () => {
    const answer = await postJson(at('/models/register'), {
      ...tiny,
      model_id: 'half',
      parent_version: '1.0.0',
    });

    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).errors?.[0]?.pointer).toBe('/parent_version');
  });
});

describe('a walk through a lineage', () => {
  /** A tree in which every version has 30 children. */
  const tree: LineageSource = {
    find: ({ modelId, version }: VersionRef) => ({
      state: 'present',
      registration: Registration.parse({ ...tiny, model_id: modelId, version }),
      parent: null,
    }),
    children: ({ modelId, version }) =>
      Array.from({ length: 30 }, (_, i) => ({ modelId: `${modelId}-${i}`.slice(-100), version })),
  };

  it('stops when the graph is full, and says so', () => {
    const root = { modelId: 'root', version: '1.0.0' };
    const graph = lineageOf(root, tree, { direction: 'both', depth: 20 });

    expect(graph.nodes).toHaveLength(MAX_LINEAGE_NODES);
    expect(graph.truncated).toBe(true);
  });
});
