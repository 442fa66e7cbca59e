import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openBackend } from '../../../engine/index.ts';
import { OPEN, SETTINGS, startHost, WRITE } from './lab-host.ts';

/** Enough for many turns of writing. */
const TOKENS = 10_000;

/** WASM plays a step before it returns: nothing is heard unless the lab lets others have a turn. */
describe('the lab on WASM', () => {
  const startOnWasm = () => {
    const lab = startHost({
      openBackend: () => openBackend('wasm', { gpu: undefined, threads: 2 }),
    });
    const budget = { kind: 'minutes', minutes: 60 } as const;
    const open = { ...OPEN, device: 'wasm', settings: { ...SETTINGS, budget } } as const;
    return { ...lab, train: () => lab.command(open) };
  };

  it('receives messages while it trains', async () => {
    const lab = startOnWasm();
    await lab.openText();
    lab.train();
    await lab.run('training');
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    const validations = lab.all('validated').length;
    const from = lab.said.length;
    lab.command({ kind: 'pause' });

    const paused = await lab.run('paused', from);

    expect(paused).toMatchObject({ run: { device: { backend: 'wasm' } } });
    expect(validations).toBeGreaterThan(1);
  });

  it('writes while it trains, and trains while it writes', async () => {
    const lab = startOnWasm();
    await lab.openText();
    lab.train();
    await lab.run('training');
    const before = lab.all('validated').length;

    const outcome = await lab.ask('write', { ...WRITE, device: 'wasm', tokens: TOKENS });

    expect(outcome).toMatchObject({ ok: true, value: { tokens: TOKENS } });
    expect(lab.all('validated').length).toBeGreaterThan(before);
  });
});
