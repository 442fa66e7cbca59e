import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { refusalOf, runSpikegrid, startSpikegrid, temporaryFolder } from './spikegrid-process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const file = join(folder.path, 'network.json');
writeFileSync(
  file,
  JSON.stringify({
    seed: 3,
    dt: 0.5,
    populations: [
      {
        name: 'given',
        count: 2,
        model: 'replay',
        spikes: [
          [0, 0],
          [3, 1],
        ],
      },
      { name: 'a, b', count: 40, model: 'lif', parameters: { tau: 10 } },
    ],
    projections: [{ from: 'given', to: 'a, b', connect: { kind: 'all' }, weight: 0.5, delay: 1 }],
    stimuli: [{ kind: 'current', to: 'a, b', current: 0.06 }],
  }),
);
const wasm = ['--device', 'wasm', '--threads', '1'];

describe('spikegrid simulate', () => {
  it('prints rates and writes the spikes that they are made of', async () => {
    const spikes = join(folder.path, 'spikes.csv');
    const args = [file, '--steps', '400', '--spikes', spikes, '--json', ...wasm];
    const { code, stdout, stderr } = await runSpikegrid('simulate', ...args);
    expect(code, stderr).toBe(0);

    const [given, driven] = JSON.parse(stdout).populations;
    expect(given).toMatchObject({ name: 'given', neurons: 2, spikes: 2, isi_cv: null });
    // All 40 are alike and get the same: they fire like one clock.
    expect(driven.spikes % 40).toBe(0);
    expect(driven.spikes).toBeGreaterThan(200);
    expect(driven.rate_hz).toBeCloseTo(driven.spikes / 40 / 0.2, 6);
    expect(driven.isi_cv).toBeLessThan(0.2);
    const lines = readFileSync(spikes, 'utf8').trimEnd().split('\n');
    expect(lines.slice(0, 3)).toEqual(['time_ms,population,neuron', '0,given,0', '1.5,given,1']);
    expect(lines.filter((line) => /^\d+(\.5)?,"a, b",\d+$/.test(line))).toHaveLength(driven.spikes);
  });

  it('runs the example of its documentation, which it prints', async () => {
    const docs = readFileSync(new URL('../../docs/design/simulator.md', import.meta.url), 'utf8');
    const [, snippet = ''] = /```json\n([^]*?)```/.exec(docs) ?? [];
    const printed = await runSpikegrid('simulate', '--example');
    const example = join(folder.path, 'example.json');
    writeFileSync(example, snippet);
    const ran = await runSpikegrid('simulate', example, '--steps', '1000', '--json', ...wasm);

    expect(printed.code, printed.stderr).toBe(0);
    expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(snippet));
    expect(ran.code, ran.stderr).toBe(0);
    const { populations } = JSON.parse(ran.stdout) as {
      populations: { name: string; rate_hz: number }[];
    };
    expect(populations.map(({ name }) => name)).toEqual(['input', 'excitatory', 'inhibitory']);
    // None is silent, none fires in every step.
    for (const { rate_hz: rate } of populations) expect(rate > 1 && rate < 500).toBe(true);
  });

  it('prints the memory of a network without running it', async () => {
    const { code, stdout } = await runSpikegrid('simulate', 'izhikevich', '--plan');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^1000 neurons, 1000000 synapses, recorders of 1000 steps\n/);
    expect(stdout).toMatch(/5123204 {2}excitatory->excitatory\n/);
  });

  it('says what it did until it was stopped', async () => {
    const running = startSpikegrid(['simulate', 'balanced', '--steps', '100000000', ...wasm]);
    await new Promise<void>((resolve) => {
      running.process.stderr?.on('data', (text: string) => {
        if (text.includes('2500 neurons, 625000 synapses')) resolve();
      });
    });
    running.process.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;

    expect(code).toBe(130);
    expect(stdout).toMatch(/^population +neurons +spikes/);
    expect(stderr).toMatch(/\d+ steps, [\d.]+ s of the network in/);
  });

  it.each<[string, string[], RegExp]>([
    ['a file that is not there', ['nowhere.json'], /nowhere\.json does not exist/],
    ['no network', [], /no network was named: expected a file of JSON \(--example prints one\)/],
    ['0 steps', [file, '--steps', '0'], /steps is 0: expected a whole number of at least 1/],
    ['a file that is no JSON', [import.meta.filename], /is no JSON: /],
  ])('refuses %s', async (_, args, message) => {
    const { stderr } = await refusalOf('simulate', ...args, ...wasm);

    expect(stderr).toMatch(message);
  });
});
