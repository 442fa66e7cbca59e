import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Digest } from '../../edge/contract/digest.ts';
import { createGeoClient, type GeoClient } from '../../edge/geo/contract/client.ts';
import { PART_BYTES } from '../../edge/uploads/contract/tus.ts';
import {
  type Copy,
  copyNextPart,
  type CopyPlaces,
  WrongBytes,
} from '../../edge/geo/region-store/copy.ts';
import { eventually } from './eventually.ts';
import { bytesOf, type Edge, registerModel, sha256, startEdge, upload } from './harness.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import { ofRegion } from './geo-params.ts';

describe('the stores of regions', () => {
  let edge: Edge;
  let geo: GeoClient;
  let node: Upstream;
  beforeAll(async () => {
    edge = await startEdge({ vars: { TARGET_ALLOWLIST: ['127.0.0.0/8'] } });
    geo = createGeoClient({ base: edge.gateway.origin });
    node = await startUpstream((_, response) => response.end('{}'));
  });
  afterAll(async () => {
    await edge[Symbol.asyncDispose]();
    await node[Symbol.asyncDispose]();
  });

  it('are given what the nearest regions with nodes need, and give it to their callers', async () => {
    const model = await registerModel(edge.registry, 'spread');
    // Two parts of the bucket.
    const weights = bytesOf(PART_BYTES + 300_000, 1);
    for (const [filename, body] of [
      ['model.safetensors', weights],
      ['config.json', new TextEncoder().encode('{}')],
    ] as const) {
      expect((await upload(model, { filename }, body)).status).toBe(201);
    }
    const before = edge.blobs().length;

    const endpoint = new URL(node.url).host;
    await geo.createNode({ body: { node_id: 'sg', region_id: 'ap-southeast-1', endpoint } });
    const group = await eventually(
      () => geo.replicationGroup(ofRegion('ap-northeast-1')),
      ({ replicas }) => replicas.some(({ status }) => status === 'ready'),
    );

    expect(group).toMatchObject({
      source_region: 'ap-northeast-1',
      replication_targets: ['ap-southeast-1', 'us-west-2'],
      replicas: [
        {
          region_id: 'ap-southeast-1',
          model_id: 'spread',
          version: '1.0.0',
          files: 2,
          files_ready: 2,
          bytes: weights.byteLength + 2,
          bytes_copied: weights.byteLength + 2,
          error: null,
        },
      ],
    });
    expect(group.latencies_ms['ap-southeast-1']).toBeCloseTo(32, 1);
    expect(edge.blobs()).toHaveLength(2 * before);
    const file = `${model}/download/model.safetensors`;
    const near = await fetch(file, {
      headers: { 'x-spikegrid-region': 'ap-southeast-1', range: 'bytes=10-19' },
    });
    expect(near.headers.get('x-spikegrid-region')).toBe('ap-southeast-1');
    expect(new Uint8Array(await near.arrayBuffer())).toEqual(weights.slice(10, 20));
    const elsewhere = await fetch(file, { headers: { 'x-spikegrid-region': 'us-west-2' } });
    expect(elsewhere.headers.get('x-spikegrid-region')).toBeNull();
    expect(sha256(new Uint8Array(await elsewhere.arrayBuffer()))).toBe(sha256(weights));

    await fetch(`${model}?force=true`, { method: 'DELETE' });
    await geo.createNode({ body: { node_id: 'sg-2', region_id: 'ap-southeast-1', endpoint } });
    await eventually(
      () => Promise.resolve(edge.blobs().length),
      (left) => left === 0,
    );
  });
});

/** The part of a bucket that copying needs, in memory. */
class MemoryBucket {
  readonly objects = new Map<string, Uint8Array>();
  readonly #parts = new Map<string, Map<number, Uint8Array>>();

  get(key: string, { range }: { range?: { offset: number; length: number } } = {}) {
    const all = this.objects.get(key);
    const bytes = range ? all?.slice(range.offset, range.offset + range.length) : all;
    return Promise.resolve(bytes ? { arrayBuffer: () => Promise.resolve(bytes) } : null);
  }

  put(key: string, body: Uint8Array) {
    this.objects.set(key, body);
    return Promise.resolve();
  }

  createMultipartUpload(key: string) {
    this.#parts.set('upload', new Map());
    return Promise.resolve(this.resumeMultipartUpload(key, 'upload'));
  }

  resumeMultipartUpload(key: string, uploadId: string) {
    const parts = this.#parts.get(uploadId) ?? new Map<number, Uint8Array>();
    return {
      uploadId,
      uploadPart: (partNumber: number, body: Uint8Array) => {
        parts.set(partNumber, body);
        return Promise.resolve({ partNumber, etag: `etag-${partNumber}` });
      },
      complete: (listed: readonly { partNumber: number }[]) => {
        const bodies = listed.map(({ partNumber }) => parts.get(partNumber) ?? new Uint8Array());
        return this.put(key, Buffer.concat(bodies));
      },
    };
  }
}

describe('a copy', () => {
  const copyOf = (digest: string, sizeBytes: number): Copy => ({
    digest: digest as Digest,
    sizeBytes,
    objectKey: 'files/x',
    status: 'waiting',
    epoch: 1,
    multipartId: null,
    offset: 0,
    hashState: '',
    error: null,
    retryAt: 0,
    updatedAt: 0,
  });

  async function open(body: Uint8Array) {
    const source = new MemoryBucket();
    const target = new MemoryBucket();
    await source.put('files/x', body);
    // A bucket has more than copying asks of it.
    const places = { source, target, targetKey: 'copy' } as unknown as CopyPlaces;
    return { places, copied: () => target.objects.get('copy') };
  }

  it('is gone on with after the last part that arrived', async () => {
    const body = bytesOf(PART_BYTES + 1000, 7);
    const { places, copied } = await open(body);
    const whole = copyOf(sha256(body), body.byteLength);

    const first = await copyNextPart(whole, places, []);
    expect(first).toMatchObject({ kind: 'part', offset: PART_BYTES });
    expect(copied()).toBeUndefined();
    if (first.kind !== 'part') return;
    // Another process knows only the state stored between the two.
    const { part, ...kept } = JSON.parse(JSON.stringify(first)) as typeof first;
    const second = await copyNextPart({ ...whole, ...kept, status: 'copying' }, places, [part]);

    expect(second.kind).toBe('done');
    expect(sha256(copied() ?? new Uint8Array())).toBe(sha256(body));
  });

  it('of other bytes than the registry knows is not made', async () => {
    const { places, copied } = await open(bytesOf(1000, 8));
    const wrong = copyOf(sha256(bytesOf(1000, 9)), 1000);

    await expect(copyNextPart(wrong, places, [])).rejects.toThrow(WrongBytes);
    expect(copied()).toBeUndefined();
  });
});
