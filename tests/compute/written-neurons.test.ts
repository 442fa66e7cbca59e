import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { openLanguageModel, unpackModel, unpackTraining } from '../../engine/index.ts';
import { asking, type InferencePlatform, startInferencePlatform } from './inference-platform.ts';
import { ONE_THREAD, runSpikegrid, temporaryFolder } from './spikegrid-process.ts';

const NEURON = `
# The adaptation w is taken from the membrane of the next step.
state u = 0, w = 0
learn beta = 0.95 in [0, 1] per neuron;  rho = 0.9;  a = 0.1
u = beta * u + I - w
s = spike(u - 1)
w = rho * w + a * s
u = u - s
`;

let platform: InferencePlatform;
const { path: folder, remove } = temporaryFolder();
beforeAll(async () => {
  platform = await startInferencePlatform();
  writeFileSync(join(folder, 'neuron.txt'), NEURON);
});
afterAll(async () => {
  await platform.end();
  remove();
});

describe('train --neuron', () => {
  it('makes a model that is served, and writes the text of the engine', async () => {
    const neuron = join(folder, 'neuron.txt');
    const files = await platform.train('--preset', 'tiny', '--steps', '20', '--neuron', neuron);
    const { spec, layout } = unpackTraining(files);
    expect(spec).toMatchObject({ core: { equations: { text: NEURON } } });
    expect(layout.get('blocks.0.up.neuron.beta').value.shape).toEqual([128]);

    await platform.register('written', '1.0.0', files);
    const served = await platform.serve();
    const model = await openLanguageModel(
      await openWasmBackend({ threads: 1 }),
      unpackModel(files),
    );
    let text = '';
    const asked = { prompt: 'the quick ', tokens: 30, temperature: 0.8, topK: 0, topP: 1, seed: 7 };
    for await (const piece of model.generate(asked)) text += piece;
    model.close();

    expect((await served.infer(asking('written', 30))).outputs.text).toBe(text);
  });

  it.each([
    [
      'an unknown name',
      'state u = 0\nu = 0.9 * u + J\ns = spike(u - 1)',
      'line 2, column 15: J has no value here',
    ],
    [
      'no spike',
      'state u = 0\nu = I',
      'line 1, column 1: there is no spike: expected a line such as s = spike(u - 1)',
    ],
    ['too much text', '#'.repeat(20_000), 'it has 20000 bytes: expected at most 4096 characters'],
  ])('ends with exit code 2 for %s, before anything is written', async (_, text, message) => {
    const [neuron, dataset, output] = ['bad.txt', 'data.txt', 'run'].map((name) =>
      join(folder, name),
    );
    writeFileSync(neuron!, text);
    writeFileSync(dataset!, 'she sells sea shells by the sea shore.\n'.repeat(100));
    const ended = await runSpikegrid(
      ...['train', '--dataset', dataset!, '--neuron', neuron!, '--output', output!, ...ONE_THREAD],
    );

    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(`${neuron}: ${message}`);
    expect(existsSync(output!)).toBe(false);
  });
});

describe('simulate --neuron', () => {
  it('runs a population of the neuron in a file, by the name of the file', async () => {
    const network = join(folder, 'network.json');
    const populations = [{ name: 'cells', count: 40, model: 'neuron', parameters: { rho: 0.8 } }];
    const stimuli = [{ kind: 'current', to: 'cells', current: 0.5 }];
    writeFileSync(network, JSON.stringify({ seed: 1, dt: 1, populations, stimuli }));
    const run = (...more: readonly string[]) =>
      runSpikegrid('simulate', network, '--steps', '100', '--json', ...more, ...ONE_THREAD);

    const { code, stdout } = await run('--neuron', join(folder, 'neuron.txt'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ populations: [{ neurons: 40 }] });
    expect(JSON.parse(stdout).populations[0].spikes % 40).toBe(0);
    expect(JSON.parse(stdout).populations[0].spikes).toBeGreaterThan(400);
    expect((await run()).stderr).toContain('unknown neuron model "neuron"');
  });
});
