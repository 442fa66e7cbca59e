import { expect, it } from 'vitest';
import { OPEN, SETTINGS, startHost } from './lab-host.ts';

it('a run that learns nothing is diagnosed, and a new one begins with its weights', async () => {
  const host = startHost();
  await host.openText();
  host.command({ ...OPEN, settings: { ...SETTINGS, learningRate: 1e-6 } });
  await host.run('finished', 0);
  const found = await host.ask('diagnose', null);
  const from = host.said.length;
  const parent = { step: 12, learningRate: 1e-6 };

  host.command({ ...OPEN, from: 'weights', parent });
  await host.run('finished', from);

  expect(found).toMatchObject({
    ok: true,
    value: { step: 12, findings: [{ cause: 'rate-too-low', remedy: { from: 'checkpoint' } }] },
  });
  const states = host.all('run').map(({ run }) => run);
  expect(states.at(-1)).toMatchObject({ step: 12, run: { parent } });
  expect(states.filter(({ status }) => status === 'finished')).toHaveLength(2);
  // Of a run that began with trained weights nothing is said about its rate.
  expect(await host.ask('diagnose', null)).toMatchObject({ ok: true, value: { findings: [] } });
});

it('nothing is diagnosed where there is no run', async () => {
  const host = startHost();

  expect(await host.ask('diagnose', null)).toEqual({ ok: true, value: null });
});
