import { describe, expect, it } from 'vitest';
import { OPEN, SETTINGS, startHost, WRITE } from './lab-host.ts';

describe('writing', () => {
  it('streams text while the run trains, and says how much it was', async () => {
    const host = startHost();
    await host.openText();
    const budget = { kind: 'steps', steps: 100_000 } as const;
    host.command({ ...OPEN, settings: { ...SETTINGS, budget } });
    await host.nextEvent('progress');
    const before = host.all('progress').length;
    const answer = await host.ask('write', { ...WRITE, tokens: 600 });

    expect(answer).toMatchObject({ ok: true, value: { tokens: 600 } });
    const text = host
      .all('wrote')
      .map((event) => event.text)
      .join('');
    expect([...text]).toHaveLength(600);
    expect(host.all('wrote').length).toBeGreaterThan(1);
    expect(host.all('progress').length).toBeGreaterThan(before);
  });

  it('names what the model does not know, and refuses a second text at the same time', async () => {
    const host = startHost();
    await host.openText();
    host.command({ ...OPEN, next: 'wait' });
    await host.run('ready', 0);

    expect(await host.ask('write', { ...WRITE, prompt: 'théo' })).toMatchObject({
      failure: { code: 'unknown-character', message: expect.stringContaining('U+00E9') },
    });
    const first = host.ask('write', { ...WRITE, tokens: 200 });
    expect((await host.ask('write', WRITE)).ok).toBe(false);
    expect((await first).ok).toBe(true);
  });

  it('ends early when it is stopped or the run is reset', async () => {
    const host = startHost();
    await host.openText();
    for (const end of [{ kind: 'stop-writing' }, { kind: 'reset' }] as const) {
      const from = host.said.length;
      host.command({ ...OPEN, next: 'wait' });
      await host.run('ready', from);
      const answer = host.ask('write', { ...WRITE, tokens: 100_000 });
      await host.nextEvent('wrote', () => true, from);
      host.command(end);

      const { value } = (await answer) as { value: { tokens: number } };
      expect(value.tokens).toBeLessThan(100_000);
    }
  });

  it('is refused where there is nothing to write with', async () => {
    expect(await startHost().ask('write', WRITE)).toMatchObject({
      failure: { code: 'checkpoint-missing' },
    });
  });
});
