import { describe, expect, it } from 'vitest';
import type { Failure } from '../../../web/lab/failure.ts';
import type { FromWorker, LabEvent, ToWorker } from '../../../web/lab/protocol.ts';
import { createSession } from '../../../web/lab/session.ts';

/** A worker that says what the test lets it say. */
function startPort() {
  const sent: ToWorker[] = [];
  const received: LabEvent[] = [];
  const crashes: Failure[] = [];
  let say: (message: FromWorker) => void = () => undefined;
  let crash: (message: string) => void = () => undefined;
  const session = createSession(
    {
      send: (message) => sent.push(message),
      listen(onMessage, onCrash) {
        say = onMessage;
        crash = onCrash;
      },
      close: () => undefined,
    },
    { onEvent: (event) => received.push(event), crashed: (failure) => crashes.push(failure) },
  );
  return {
    session,
    sent,
    received,
    crashes,
    say: (message: FromWorker) => say(message),
    crash: (message: string) => crash(message),
  };
}

describe('a session', () => {
  it('resolves each request with its response, in any order', async () => {
    const { session, sent, say } = startPort();
    const answers = [session.ask('save', null), session.ask('save', null)];
    const ids = sent.map((message) => ('id' in message ? message.id : 0));
    const file = { name: 'a.zip', file: new Blob() };
    say({ kind: 'answer', id: ids[1]!, outcome: { ok: true, value: { ...file, name: 'b.zip' } } });
    say({ kind: 'answer', id: ids[0]!, outcome: { ok: true, value: file } });

    expect(await Promise.all(answers)).toMatchObject([
      { ok: true, value: { name: 'a.zip' } },
      { ok: true, value: { name: 'b.zip' } },
    ]);
  });

  it('forwards events, and ignores a response without a pending request', () => {
    const { received, say } = startPort();
    say({ kind: 'wrote', text: 'a' });
    say({ kind: 'answer', id: 99, outcome: { ok: true, value: null } });

    expect(received).toEqual([{ kind: 'wrote', text: 'a' }]);
  });

  it('answers everything with the reason once the worker is gone', async () => {
    const { session, crash, crashes } = startPort();
    const waiting = session.ask('save', null);
    crash('out of memory');
    const failure = { kind: 'unexpected', message: 'out of memory' };

    expect(await waiting).toEqual({ ok: false, failure });
    expect(await session.ask('save', null)).toEqual({ ok: false, failure });
    expect(crashes).toEqual([failure]);
  });
});
