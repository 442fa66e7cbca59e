import { describe, expect, it } from 'vitest';
import type { LineageNode } from '../../../../edge/registry/contract/lineage.ts';
import type { VersionRecord } from '../../../../edge/registry/contract/model.ts';
import { layOutLineage } from '../../../../web/screens/models/lineage-layout.ts';
import {
  badTagOf,
  NO_FILTERS,
  searchOf,
  tagsOf,
} from '../../../../web/screens/models/model-search.ts';
import { compareVersions } from '../../../../web/screens/models/ModelCompare.tsx';
import { readTags, tagPatch, writeTags } from '../../../../web/screens/models/ModelFacts.tsx';

describe('the search for models', () => {
  it('asks only for what was filled in, in plain letters', () => {
    expect(searchOf({ ...NO_FILTERS, name: ' ＭＮＩＳＴ ', framework: '  ' })).toEqual({
      name: 'MNIST',
    });
    expect(searchOf({ ...NO_FILTERS, type: 'text', alias: 'production' })).toEqual({
      model_type: 'text',
      alias: 'production',
    });
  });

  it('leaves out an alias and tags that the registry would refuse, while they are typed', () => {
    expect(searchOf({ ...NO_FILTERS, alias: '1.0', tags: 'stage:trial, no good, fsdd' })).toEqual({
      tag: ['stage:trial', 'fsdd'],
    });
    expect(badTagOf('stage:trial, no good')).toBe('no good');
  });

  it('takes the comma of either language between tags', () => {
    expect(tagsOf('a:1、b ,, c')).toEqual(['a:1', 'b', 'c']);
  });
});

describe('tags as lines', () => {
  it('come back as they were', () => {
    const tags = { stage: 'trial', fsdd: '', url: 'http://a/b: c' };

    expect(readTags(writeTags(tags))).toEqual({ ok: true, tags });
  });

  it('say which line is wrong', () => {
    expect(readTags('a: 1\n\nb b: 2')).toEqual({ ok: false, problem: 'badTag', line: 3 });
    expect(readTags('a: 1\na: 2')).toEqual({ ok: false, problem: 'twice', line: 2, key: 'a' });
  });

  it('become a patch of what is new, other or gone', () => {
    const before = { same: '1', other: '1', gone: '1' };

    expect(tagPatch(before, { same: '1', other: '2', fresh: '' })).toEqual({
      gone: null,
      other: '2',
      fresh: '',
    });
  });
});

describe('two versions', () => {
  const version = {
    name: 'Digits',
    model_type: 'audio',
    framework: 'spikegrid',
    architecture: null,
    description: '',
    status: 'READY',
    job_id: null,
    parent_model_id: null,
    parent_version: null,
    model_spec: {
      model_spec_version: 1,
      model_family: 'x',
      architecture: 'y',
      neuron: { threshold: 1 },
      layers: [1, 2],
    },
    manifest_digest: null,
    model_spec_digest: null,
    tokenizer_digest: null,
    dataset_digest: null,
    tags: { stage: 'trial' },
    files: [],
    // Only what is compared; the rest of a record does not matter here.
  } as unknown as VersionRecord;

  it('that are the same have no difference', () => {
    expect(compareVersions(version, structuredClone(version))).toEqual([]);
  });

  it('differ by the paths of their specification, tags and files', () => {
    const other: VersionRecord = {
      ...version,
      tags: {},
      model_spec: { ...version.model_spec!, neuron: { threshold: 2 }, layers: [1] },
    };

    expect(compareVersions(version, other)).toEqual([
      { part: 'spec', field: 'layers', left: '[1,2]', right: '[1]' },
      { part: 'spec', field: 'neuron.threshold', left: '1', right: '2' },
      { part: 'tags', field: 'stage', left: 'trial', right: null },
    ]);
  });
});

describe('the picture of a lineage', () => {
  const node = (id: string, kind: LineageNode['kind'], generation: number): LineageNode => ({
    id,
    kind,
    generation,
    label: id,
    state: 'present',
    model_id: null,
    version: null,
    digest: null,
    job_id: null,
  });
  const derived = (source: string, target: string) =>
    ({ id: source + target, source, target, relation: 'derived_from' }) as const;

  it('puts parents left of children, and a data set under the first that used it', () => {
    const picture = layOutLineage({
      model_id: 'm',
      version: '1.0.0',
      root: 'b',
      depth: 5,
      truncated: false,
      nodes: [
        node('b', 'version', 0),
        node('a', 'version', -1),
        node('c', 'version', 1),
        node('data', 'dataset', 0),
      ],
      edges: [
        derived('b', 'a'),
        derived('c', 'b'),
        { id: '1', source: 'a', target: 'data', relation: 'trained_on' },
        { id: '2', source: 'b', target: 'data', relation: 'trained_on' },
      ],
    });
    const place = (id: string) => picture.nodes.find(({ node: { id: own } }) => own === id)!;

    expect(place('a').x).toBeLessThan(place('b').x);
    expect(place('b').x).toBeLessThan(place('c').x);
    expect(place('data').x).toBe(place('a').x);
    expect(place('data').y).toBeGreaterThan(place('a').y);
    expect(picture.edges).toHaveLength(4);
  });

  it('draws a graph with a cycle, and every node inside of the picture', () => {
    const picture = layOutLineage({
      model_id: 'm',
      version: '1.0.0',
      root: 'a',
      depth: 5,
      truncated: false,
      nodes: [node('a', 'version', 0), node('b', 'version', 1), node('c', 'version', 1)],
      edges: [derived('b', 'a'), derived('a', 'b'), derived('c', 'a')],
    });

    for (const { x, y } of picture.nodes) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThan(picture.width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(picture.height);
    }
    expect(picture.edges.every(({ path }) => !path.includes('NaN'))).toBe(true);
  });
});
