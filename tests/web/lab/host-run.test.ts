import { describe, expect, it } from 'vitest';
import { chooseSettings } from '../../../engine/index.ts';
import type { OpenCommand } from '../../../web/lab/protocol.ts';
import type { RunFacts } from '../../../web/lab/run-machine.ts';
import { OPEN, openFragileBackend, SETTINGS, startHost } from './lab-host.ts';

describe('a run', () => {
  it('opens, trains until its budget is spent, and is validated on the way', async () => {
    const host = startHost();
    await host.openText();
    host.command(OPEN);
    await host.run('finished', 0);

    const states = host.all('run').map(({ run }) => run.status);
    expect(states).toEqual(['opening', 'opening', 'opening', 'ready', 'training', 'finished']);
    // Twelve steps, at least ten validations: every second step.
    expect(host.all('validated').map(({ validation }) => validation.step)).toEqual([
      2, 4, 6, 8, 10, 12,
    ]);
    const steps = host.all('progress').map(({ progress }) => progress.step);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(12);
    expect(host.all('progress').at(-1)?.progress.fraction).toBe(1);
  });

  it('says its floors once, and at its end which of them it has beaten', async () => {
    const host = startHost();
    await host.openText();
    host.command(OPEN);
    await host.run('finished', 0);

    const [event, ...more] = host.all('floors');
    expect(more).toEqual([]);
    expect(event!.floors.map(({ name }) => name)).toEqual([
      'uniform',
      'unigram',
      'bigram',
      '5-gram',
    ]);
    const verdicts = host.all('validated').map(({ validation }) => validation.verdict);
    expect(verdicts.slice(0, -1).every((verdict) => verdict === undefined)).toBe(true);
    // Twelve steps of sixteen tokens are too few.
    expect(verdicts.at(-1)).toMatchObject({
      isBeaten: false,
      cause: { name: 'too-few-steps', text: expect.stringContaining('12 steps with 192 tokens') },
    });
  });

  it('that diverges keeps the checkpoint whose validation was best', async () => {
    const host = startHost();
    await host.openText();
    const budget = { kind: 'steps', steps: 400 } as const;
    host.command({ ...OPEN, settings: { ...SETTINGS, learningRate: 1000, budget } });
    const failed = await host.run('failed', 0);

    const validations = host.all('validated').map(({ validation }) => validation);
    const best = validations.toSorted((a, b) => a.loss - b.loss)[0];
    expect(validations.at(-1)!.step).toBeGreaterThan(best!.step);
    expect(failed).toMatchObject({ failure: { code: 'diverged' }, checkpointStep: best!.step });
    const saved = await host.ask('save', null);
    const number = String(best!.step).padStart(6, '0');
    expect(saved).toMatchObject({ ok: true, value: { name: `spikegrid-${number}.zip` } });
  });

  it('takes exactly one step on request', async () => {
    const host = startHost();
    await host.openText();
    host.command({ ...OPEN, next: 'step' });
    expect(await host.run('paused', 0)).toMatchObject({ step: 1 });

    const from = host.said.length;
    host.command({ kind: 'step' });
    expect(await host.run('paused', from)).toMatchObject({ step: 2 });
  });

  it('pauses after the steps under way, and goes on from there', async () => {
    const host = startHost();
    await host.openText();
    host.command({ ...OPEN, settings: { ...SETTINGS, budget: { kind: 'steps', steps: 100_000 } } });
    await host.nextEvent('progress', ({ progress }) => progress.step > 3);
    host.command({ kind: 'pause' });
    const paused = await host.run('paused', 0);
    const step = 'step' in paused ? paused.step : Number.NaN;
    const reported = host.all('progress').length;
    await host.ask('save', null);
    expect(host.all('progress')).toHaveLength(reported);
    expect(host.all('progress').at(-1)?.progress.step).toBe(step);

    host.command({ kind: 'train' });
    await host.nextEvent('progress', ({ progress }) => progress.step > step);
  });

  it('fails with the reason when it cannot be opened, and can be opened again', async () => {
    const host = startHost();
    host.command(OPEN);
    expect(await host.run('failed', 0)).toMatchObject({
      failure: { code: 'text-too-short' },
      checkpointStep: null,
    });

    await host.openText();
    host.command(OPEN);
    await host.run('finished');
  });

  it('is forgotten by a reset, also while it opens', async () => {
    const host = startHost();
    await host.openText();
    host.command(OPEN);
    host.command({ kind: 'reset' });
    expect(host.all('run').at(-1)?.run.status).toBe('idle');
    expect(await host.ask('save', null)).toMatchObject({ failure: { code: 'checkpoint-missing' } });

    const from = host.said.length;
    host.command(OPEN);
    await host.run('finished', from);
  });

  it('is forgotten by a reset, also while its checkpoint is made', async () => {
    const host = startHost();
    await host.openText();
    host.command({ ...OPEN, next: 'wait' });
    await host.run('ready', 0);
    const saving = host.ask('save', null);
    host.command({ kind: 'reset' });

    expect(await saving).toMatchObject({ ok: true });
    expect(await host.ask('save', null)).toMatchObject({ failure: { code: 'checkpoint-missing' } });
  });

  it('starts with the same values after a reset', async () => {
    const host = startHost();
    await host.openText();
    const lossesOf = async () => {
      const from = host.said.length;
      host.command(OPEN);
      await host.run('finished', from);
      const losses = host.all('validated').map(({ validation }) => validation.loss);
      host.command({ kind: 'reset' });
      return losses.slice(-6);
    };

    expect(await lossesOf()).toEqual(await lossesOf());
  });

  it('whose budget is spent goes on when it is given a larger one', async () => {
    const host = startHost();
    await host.openText();
    host.command(OPEN);
    await host.run('finished', 0);
    const from = host.said.length;
    const budget = { kind: 'steps', steps: 20 } as const;
    host.command({ ...OPEN, from: 'checkpoint', settings: { ...SETTINGS, budget } });

    expect(await host.run('finished', from)).toMatchObject({ step: 20 });
    const steps = host.said
      .slice(from)
      .flatMap((message) => (message.kind === 'progress' ? message.progress.step : []));
    expect(steps[0]).toBe(12);
  });

  it('that loses its device retains its last checkpoint and resumes from it on another', async () => {
    const fragile = await openFragileBackend();
    const devices = [fragile.backend];
    const host = startHost({
      openBackend: async () => devices.pop() ?? (await openFragileBackend()).backend,
    });
    await host.openText();
    const budget = { kind: 'steps', steps: 100_000 } as const;
    const open: OpenCommand = { ...OPEN, settings: { ...SETTINGS, budget } };
    host.command({ kind: 'open', ...open });
    await host.nextEvent('progress', ({ progress }) => progress.step > 3);
    host.command({ kind: 'pause' });
    await host.run('paused', 0);
    // The checkpoint of the pause is in memory once it can be saved.
    await host.ask('save', null);
    host.command({ kind: 'train' });
    fragile.lose();

    const lost = await host.run('lost', 0);
    expect(lost).toMatchObject({ failure: { code: 'device-lost' } });
    const step = 'checkpointStep' in lost ? lost.checkpointStep : null;
    expect(step).toBeGreaterThan(3);

    const from = host.said.length;
    host.command({ kind: 'open', ...open, from: 'checkpoint', next: 'wait' });
    expect(await host.run('ready', from)).toMatchObject({ step });
  });

  it('takes the recipe of its data where the form leaves it open, and goes on with it', async () => {
    const host = startHost();
    await host.openText();
    const asked = (steps: number) =>
      chooseSettings({
        architecture: 'dense_chronospike',
        // The reference is slow: fewer sequences than the recipe has.
        ...{ fields: {}, batch: 1 },
        budget: { kind: 'steps', steps },
      });
    host.command({ ...OPEN, settings: asked(1) });
    const { run } = (await host.run('finished', 0)) as { run: RunFacts };

    expect(run.asked).toEqual(asked(1));
    expect(run.settings).toMatchObject({ batch: 1, fields: { d_model: 32, seq_len: 32 } });
    expect(run.settings.chosen?.['recipe']).toEqual({
      value: 'few',
      reason: expect.stringMatching(/there are \d+ tokens, fewer than \d+/),
    });

    const from = host.said.length;
    host.command({ ...OPEN, settings: asked(2), from: 'checkpoint' });
    const on = await host.run('finished', from);
    expect(on).toMatchObject({
      step: 2,
      run: { settings: { ...run.settings, budget: { steps: 2 } } },
    });
  });
});
