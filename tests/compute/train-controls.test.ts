import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { refusalOf, runSpikegrid, writeNovel } from './spikegrid-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-controls-'));
const dataset = writeNovel(folder, 1);
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

let runs = 0;
const train = (...args: string[]) => {
  const output = join(folder, String(runs++));
  const size = ['--steps', '2', '--d-model', '8', '--seq-len', '8', '--batch-size', '2'];
  const device = ['--device', 'wasm', '--threads', '1'];
  const all = ['train', '--dataset', dataset, '--output', output, ...size, ...device, ...args];
  return runSpikegrid(...all).then((ended) => ({ ...ended, output }));
};

function recordOf(output: string) {
  const last = readdirSync(output)
    .toSorted()
    .findLast((name) => name.startsWith('checkpoint'))!;
  return JSON.parse(readFileSync(join(output, last, 'config.json'), 'utf8')).training_execution;
}

describe('the controls of `train`', () => {
  it('are those of the profile, then of the variables, then of the command line', async () => {
    vi.stubEnv('TRAIN_WARMUP_OVERRIDE', '0.3');
    vi.stubEnv('TRAIN_GRAD_CLIP_NORM_OVERRIDE', '7');
    vi.stubEnv('FORCE_HARD_SPIKE_PARITY', 'true');
    const profile = ['--convergence-profile', 'aggressive_convergence', '--grad-clip-norm', '5'];

    const { code, stderr, output } = await train(...profile);

    expect(code, stderr).toBe(0);
    const { submitted, effective, controls, convergence_profile } = recordOf(output);
    expect(controls).toMatchObject({
      warmup: 0.3,
      decay_start: 0.8,
      grad_clip_norm: 5,
      hard_spike_parity: true,
    });
    expect(convergence_profile).toBe('aggressive_convergence');
    const given = { d_model: 8, seq_len: 8, batch_size: 2, budget: { kind: 'steps', steps: 2 } };
    expect(submitted).toEqual(given);
    expect(effective).toMatchObject(given);
    const leftOut = Object.keys(effective).filter((name) => !(name in given));
    expect(Object.keys(controls.chosen).toSorted()).toEqual(leftOut.toSorted());
  });

  it('starve neurons where a step supplies less than a spike costs, and say how many', async () => {
    // Over 16 tokens of 4 time steps, a spike that costs 20 can be paid for twelve times.
    const long = ['--seq-len', '16', '--time-steps', '4', '--report-every', '1'];
    const starved = await train(...long, '--energy-supply', '0', '--energy-importance', '20');
    const fed = await train(...long);

    const [, share = ''] = /gated_spikes (0\.\d+)/.exec(starved.stderr) ?? [];
    expect(Number(share), starved.stderr).toBeGreaterThan(0);
    expect(fed.stderr).not.toContain('gated');
    const { submitted } = recordOf(starved.output);
    expect(submitted).toMatchObject({ energy_supply: 0, energy_importance: 20 });
    const inspected = await runSpikegrid('inspect', starved.output);
    expect(inspected.stdout).toContain('energy gates can close from time step 14 of 64 on');
    expect((await runSpikegrid('inspect', fed.output)).stdout).toContain(
      'energy gates cannot close in the 64 time steps of a sequence and are left out',
    );
  });

  it('report no firing rate for a network without spikes', async () => {
    // Without tables, whose loss would end the line.
    const { code, stderr } = await train(
      ...['--architecture', 'standard_transformer', '--ngram-order', '0'],
    );

    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/step 2 {2}loss \d.* tokens\/s$/m);
    expect(stderr).not.toMatch(/NaN|firing|dead/);
  });

  it('stay what they were when a run goes on, and refuse to be others', async () => {
    const { output } = await train('--convergence-profile', 'stable_plus');
    vi.stubEnv('TRAIN_WARMUP_OVERRIDE', '0.3');

    const other = await train('--resume', output, '--warmup', '0.2');
    const on = await train('--resume', output, '--steps', '4');

    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('warmup is 0.1 in the checkpoint but 0.2 was given'),
    ]);
    expect(on.code, on.stderr).toBe(0);
    expect(recordOf(on.output)).toMatchObject({
      convergence_profile: 'stable_plus',
      controls: { warmup: 0.1, grad_clip_norm: 0.5 },
    });
  });

  it('find a learning rate by a range test, keep its curve and go on with the rate', async () => {
    const { code, stderr, output } = await train('--learning-rate', 'auto');

    expect(code, stderr).toBe(0);
    const test = JSON.parse(readFileSync(join(output, 'learning-rate.json'), 'utf8'));
    const { effective, controls } = recordOf(output);
    expect(effective.learning_rate).toBe(test.chosen);
    expect(controls.chosen.learning_rate).toEqual({ value: test.chosen, reason: test.reason });
    expect(stderr).toContain(`learning rate ${test.chosen}: a range test of `);
    expect(readFileSync(join(output, 'learning-rate.svg'), 'utf8')).toContain('<svg');
    expect(readFileSync(join(output, 'report.html'), 'utf8')).toContain('Learning rate range test');

    const on = await runSpikegrid('train', '--resume', output, '--steps', '4');
    expect(on.code, on.stderr).toBe(0);
    expect(recordOf(output).effective).toMatchObject({ learning_rate: test.chosen });
    const other = await runSpikegrid('train', '--resume', output, '--learning-rate', 'auto');
    expect(other.stderr).toContain(`but auto was given`);
  });

  it('hold the recipe that auto took for the data and the device, and go on with it', async () => {
    const output = join(folder, String(runs++));
    const device = ['--device', 'wasm', '--threads', '1'];
    const given = ['--dataset', dataset, '--output', output, '--minutes', '0.0005'];
    const { code, stderr } = await runSpikegrid('train', ...given, ...device);

    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^recipe few: there are \d+ tokens, fewer than \d+$/m);
    const before = recordOf(output);
    expect(before.controls.chosen.recipe.value).toBe('few');
    const on = await runSpikegrid('train', '--resume', output, '--minutes', '0.001', ...device);
    expect(on.code, on.stderr).toBe(0);
    const { effective, controls } = recordOf(output);
    expect({ ...effective, budget: before.effective.budget }).toEqual(before.effective);
    expect(controls).toEqual(before.controls);
  });

  it.each([
    [['--energy-gating', 'off'], false],
    [['--energy-gating', 'on'], true],
    [['--energy-gating', 'false'], false],
    [['--energy-gating'], true],
  ])('are switched by %j', async (flags, on) => {
    const { code, stderr, output } = await train(...flags);

    expect(code, stderr).toBe(0);
    expect(recordOf(output).controls.energy_gating).toBe(on);
  });

  it('refuse what is neither on nor off', async () => {
    const { stderr } = await refusalOf('train', '--dataset', dataset, '--energy-gating', 'maybe');
    expect(stderr).toContain('got "maybe", expected on or off');

    const aozora = await refusalOf('train', '--dataset', dataset, '--aozora', 'maybe');
    expect(aozora.stderr).toContain('got "maybe", expected on or off');
  });

  it('refuse a variable that is no number, naming it', async () => {
    vi.stubEnv('TRAIN_WARMUP_OVERRIDE', 'a tenth');

    const { code, stderr } = await train();

    expect(code).toBe(1);
    expect(stderr).toContain('TRAIN_WARMUP_OVERRIDE is a tenth: expected a number from 0 to 1');
  });
});
