import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InferRequestInput } from '../../edge/inference/contract/infer.ts';
import { type CheckpointFiles, withManifest } from '../../engine/index.ts';
import { bytesOf, type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { registerSmall, trainSmall, uploadSmall } from './small-model.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-edge-inference-'));
let edge: Edge;
let files: CheckpointFiles;
let written: CheckpointFiles;

const EQUATIONS = 'state u = 0\nu = 0.9 * u + I\ns = spike(u - 1)\nu = u - s';

beforeAll(async () => {
  [edge, files, written] = await Promise.all([
    startEdge({ stateDir }),
    trainSmall(2),
    trainSmall(2, { equations: EQUATIONS }),
  ]);
  await registerSmall(edge.registry, files, { id: 'small' });
  const large = new Map(files).set('model.safetensors', bytesOf(33 * 1024 * 1024, 1));
  await registerSmall(edge.registry, files, { id: 'large', without: 'all' });
  await uploadSmall(edge.registry, large, { id: 'large' });
}, 120_000);
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  rmSync(stateDir, { recursive: true });
});

const at = (path: string) => new URL(path, edge['edge-inference']);
const ask = (request: InferRequestInput, path = '/infer') => postJson(at(path), request);
const short = (model: string, more: Partial<InferRequestInput> = {}): InferRequestInput => ({
  model_id: model,
  inputs: { text: 'she ' },
  config: { max_length: 20, seed: 5 },
  ...more,
});

/** The three ways to have a model loaded: each refuses what cannot be loaded. */
const WAYS = ['/infer', '/v1/infer', '/load_model'] as const;

describe.each(WAYS)('%s refuses', (way) => {
  const load = (id: string, choice: { version?: string; alias?: string } = {}) =>
    way === '/load_model' ? postJson(at(`${way}/${id}`), choice) : ask(short(id, choice), way);
  const id = (name: string) => `${name}-${WAYS.indexOf(way)}`;

  it('a model, a version and an alias that there is not', async () => {
    for (const answer of [load('nobody'), load('small', { version: '9.0.0' })]) {
      expect((await problemOf(await answer)).code).toBe('model_not_found');
    }
    expect(await problemOf(await load('small', { alias: 'nobody' }))).toMatchObject({
      code: 'alias_not_found',
      detail: 'The model small has no alias nobody.',
    });
  });

  it('a version that lacks a file', async () => {
    const model = { id: id('partial'), without: 'tokenizer.json' };
    await registerSmall(edge.registry, files, model);

    expect(await problemOf(await load(model.id))).toMatchObject({
      code: 'model_not_found',
      detail: expect.stringContaining('has no file tokenizer.json'),
    });
  });

  it('weights that are not those of the manifest', async () => {
    const weights = Uint8Array.from(files.get('model.safetensors')!);
    weights[weights.length - 1]! ^= 1;
    const damaged = new Map(files).set('model.safetensors', weights);
    await registerSmall(edge.registry, files, { id: id('altered'), without: 'all' });
    await uploadSmall(edge.registry, damaged, { id: id('altered') });

    expect(await problemOf(await load(id('altered')))).toMatchObject({
      code: 'digest_mismatch',
      detail: expect.stringContaining('model.safetensors was altered'),
    });
  });

  it.each([
    ['cannot be', { n_heads: 3 }, 'invalid_structure', 'd_model 16 is not divisible by 3 heads'],
    ['is not that of its weights', { d_model: 16_384 }, 'digest_mismatch', 'the model has F32'],
  ])('a structure that %s', async (_case, change, code, reason) => {
    const spec = JSON.parse(new TextDecoder().decode(files.get('model_spec.json')));
    const text = JSON.stringify({ ...spec, ...change });
    const odd = new Map(files).set('model_spec.json', new TextEncoder().encode(text));
    odd.delete('manifest.json');
    const model = { id: id(`odd-${code.replaceAll('_', '-')}`), without: 'all' };
    await registerSmall(edge.registry, files, model);
    await uploadSmall(edge.registry, withManifest(odd), model);

    expect(await problemOf(await load(model.id))).toMatchObject({
      code,
      detail: expect.stringContaining(reason),
    });
  });

  it('a model whose neurons are equations, and says who takes it', async () => {
    await registerSmall(edge.registry, written, { id: id('written') });

    expect(await problemOf(await load(id('written')))).toMatchObject({
      status: 422,
      code: 'unsupported_neuron',
      detail: expect.stringContaining('ask the inference service, POST /inference/infer'),
    });
  });

  it('a model that is too large, with its size and who takes it', async () => {
    const { code, detail } = await problemOf(await load('large'));

    expect(code).toBe('model_cache_full');
    expect(detail).toMatch(/has 346\d{5} bytes .* at most 33554432: .* POST \/inference\/infer/);
  });
});

describe('a request', () => {
  it('with a character that the model does not know names it', async () => {
    const request = short('small', { inputs: { text: 'she §' }, stream: true });

    expect(await problemOf(await ask(request))).toMatchObject({
      code: 'validation_failed',
      detail: expect.stringContaining('"§" (U+00A7) at position 4'),
    });
  });

  it.each([
    ['/config/max_length', { config: { max_length: 2_001 } }],
    ['/inputs/text', { inputs: { text: 'a'.repeat(8_001) } }],
    [
      '/config/raster',
      { config: { max_length: 2_000, raster: true }, inputs: { text: 'a'.repeat(49) } },
    ],
  ])('for too much is refused: %s', async (pointer, more) => {
    const problem = await problemOf(await ask(short('small', more)));

    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });
});

describe('bytes that changed in the bucket', () => {
  it('are found before a model is built of them', async () => {
    const weights = Buffer.from(files.get('model.safetensors')!);
    const before = new Set(edge.blobs());
    await registerSmall(edge.registry, files, { id: 'rotten' });
    const blobs = join(stateDir, 'r2/spikegrid-files/blobs');
    const rotten = edge
      .blobs()
      .filter((blob) => !before.has(blob))
      .map((blob) => join(blobs, blob))
      .find((path) => readFileSync(path).equals(weights))!;
    writeFileSync(rotten, Buffer.from(weights).fill(0, 100));

    expect(await problemOf(await ask(short('rotten')))).toMatchObject({
      code: 'digest_mismatch',
      detail: expect.stringContaining('model.safetensors of rotten@1.0.0 was damaged'),
    });
  });
});
