import { expect, it } from 'vitest';
import type { Command } from '../../../web/lab/protocol.ts';
import { fc } from '../seeded.ts';
import { OPEN, SETTINGS, startHost, WRITE } from './lab-host.ts';

const command: fc.Arbitrary<Command> = fc.constantFrom<Command>(
  OPEN,
  { ...OPEN, next: 'step' },
  { ...OPEN, from: 'checkpoint', next: 'wait' },
  { kind: 'train' },
  { kind: 'step' },
  { kind: 'pause' },
  { kind: 'reset' },
  { kind: 'stop-writing' },
  { kind: 'watch', layer: 'blocks.0.up', neurons: [1], page: 'visible' },
);

/** Something the page does: a command, or a request that has to be answered. */
const action = fc.oneof(
  { weight: 4, arbitrary: command.map((given) => ({ kind: 'command', command: given }) as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'write' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'save' } as const) },
);

it('responds to every request once and ends cleanly, for any requests in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
      const host = startHost();
      await host.openText();
      const answers = actions.map(async (given) => {
        if (given.kind === 'command') return host.command(given.command);
        return given.kind === 'write'
          ? host.ask('write', { ...WRITE, tokens: 3 })
          : host.ask('save', null);
      });
      await Promise.all(answers);
      await host.host.close();

      // Whatever happened before, a new run trains to its end.
      const from = host.said.length;
      host.command({ ...OPEN, settings: { ...SETTINGS, budget: { kind: 'steps', steps: 2 } } });
      expect(await host.run('finished', from)).toMatchObject({ step: 2 });
      const ids = host.said.flatMap((message) => (message.kind === 'answer' ? message.id : []));
      expect(new Set(ids).size).toBe(ids.length);
      await host.host.close();
    }),
    { numRuns: 25 },
  );
}, 60_000);
