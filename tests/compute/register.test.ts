import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { type OwnPlane, startOwnPlane } from './own-plane.ts';
import { ONE_THREAD, runSpikegrid, temporaryFolder, writeNovel } from './spikegrid-process.ts';

const folder = temporaryFolder();
const run = join(folder.path, 'run');
let plane: OwnPlane;

beforeAll(async () => {
  plane = await startOwnPlane();
  const dataset = writeNovel(folder.path, 4);
  const { code, stderr } = await runSpikegrid(
    ...['train', '--dataset', dataset, '--output', run, '--preset', 'tiny'],
    ...['--steps', '10', ...ONE_THREAD],
  );
  expect(code, stderr).toBe(0);
});
afterAll(async () => {
  await plane.end();
  folder.remove();
});

describe('a model trained on the command line', () => {
  const register = (...more: string[]) =>
    runSpikegrid(
      'register',
      '--model',
      run,
      '--gateway',
      plane.gateway,
      '--id',
      'ishmael',
      ...more,
    );

  it('goes into the registry through the gateway, with its structure and digests', async () => {
    const { code, stderr, stdout } = await register();
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('ishmael 1.0.0 is registered');

    const registry = createRegistryClient({ base: `${plane.gateway}/registry` });
    const model = await registry.getModel({ params: { id: 'ishmael' } });
    expect(model).toMatchObject({
      status: 'READY',
      architecture: 'dense_chronospike',
      model_spec: { d_model: 32, n_heads: 2, time_steps: 2 },
    });
    expect(model.files.map(({ filename }) => filename).toSorted()).toEqual([
      'config.json',
      'manifest.json',
      'model.safetensors',
      'model_spec.json',
      'optimizer.safetensors',
      'tokenizer.json',
      'training_state.json',
    ]);
  });

  it('comes back out of it and writes the text that its checkpoint writes', async () => {
    const request = ['--prompt', 'The whale', '--tokens', '40', '--seed', '9'];
    const local = await runSpikegrid('generate', '--model', run, ...request);
    const remote = await runSpikegrid(
      ...['generate', '--model', 'ishmael@1.0.0', '--gateway', plane.gateway, ...request],
    );

    expect(local.stdout).toMatch(/^The whale/);
    expect(remote.stdout).toBe(local.stdout);
  });

  it('can be registered again as it is, but not changed', async () => {
    const again = await register();
    expect(again.stdout).toContain('was registered before');

    const changed = await register('--name', 'Another');
    expect(changed.code).toBe(1);
    expect(changed.stderr).toMatch(/ishmael 1\.0\.0 is registered already, with another name/);
  });

  it('is refused by name where the gateway does not know it or cannot be reached', async () => {
    const unknown = await runSpikegrid(
      ...['generate', '--model', 'ahab', '--gateway', plane.gateway],
    );
    const nobody = await runSpikegrid(
      ...['generate', '--model', 'ishmael', '--gateway', 'http://127.0.0.1:9'],
    );

    expect(unknown.stderr).toMatch(/ahab/);
    expect(nobody.stderr).toMatch(/cannot reach the server/);
    expect([unknown.code, nobody.code]).toEqual([1, 1]);
  });
});
