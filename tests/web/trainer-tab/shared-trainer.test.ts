import { describe, expect, it } from 'vitest';
import type { TrainerState } from '../../../trainer/trainer-state.ts';
import { createSharedTrainer, type StationPort } from '../../../web/trainer-tab/shared-trainer.ts';
import type { FromStation, ToStation } from '../../../web/trainer-tab/protocol.ts';
import { browserName } from '../../../web/trainer-tab/tab-facts.ts';

/** A page with a worker that says what a test has it say. */
function page() {
  const sent: ToStation[] = [];
  const gone: string[] = [];
  const events = new EventTarget() as unknown as Window;
  let opened = 0;
  let closed = 0;
  let receive: (message: FromStation) => void = () => {};
  const open = (): StationPort => {
    opened++;
    return {
      send: (message) => void sent.push(message),
      listen: (onMessage) => {
        receive = onMessage;
      },
      close: () => void closed++,
    };
  };
  const sharedTrainer = createSharedTrainer({ open, sayGone: (id) => void gone.push(id), events });
  const report = (state: TrainerState) => receive({ kind: 'state', state, trainerId: 'trn_1' });
  const status = () => sharedTrainer.store.getState().status;
  return {
    sharedTrainer,
    sent,
    gone,
    events,
    report,
    status,
    receive: (message: FromStation) => receive(message),
    counts: () => ({ opened, closed }),
  };
}

const TRAINING: TrainerState = {
  status: 'training',
  job: {
    jobId: 'job_1',
    modelName: 'whale',
    attempt: 1,
    seat: 0,
    phase: 'running',
    progress: { epoch: 0, step: 5, total_steps: 10, percent: 50, eta_s: 1 },
    loss: 2,
    message: undefined,
  },
};

describe('sharing a tab as a trainer', () => {
  it('starts a single worker for repeated starts, and terminates it once it has stopped', () => {
    const { sharedTrainer, report, sent, status, counts } = page();
    sharedTrainer.start();
    sharedTrainer.start();
    report({ status: 'idle' });
    sharedTrainer.stop();
    expect(status()).toBe('stopping');
    report({ status: 'stopped' });

    expect(sent).toEqual([{ kind: 'stop' }]);
    expect(status()).toBe('off');
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it('reports the reason when it may not train', () => {
    const { sharedTrainer, report, receive, status } = page();
    sharedTrainer.start();
    report({ status: 'stopped' });
    receive({ kind: 'failed', message: 'the device is lost' });

    expect(status()).toBe('failed');
    sharedTrainer.start();
    expect(status()).toBe('on');
  });

  it('confirms before the page is left only while it trains', () => {
    const { sharedTrainer, report, events } = page();
    const isAsked = () => !events.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    sharedTrainer.start();
    report({ status: 'idle' });
    expect(isAsked()).toBe(false);
    report(TRAINING);

    expect(isAsked()).toBe(true);
  });

  it('reports that it is gone when the page is closed', () => {
    const { sharedTrainer, report, events, gone, status } = page();
    sharedTrainer.start();
    report(TRAINING);
    events.dispatchEvent(new Event('pagehide'));

    expect(gone).toEqual(['trn_1']);
    expect(status()).toBe('off');
  });
});

describe('the name of a tab', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/147.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/147.0 Safari/537.36 Edg/147.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/26.0 Safari/605.1', 'Safari on macOS'],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
    ['something else', 'A browser on an unknown system'],
  ])('%s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });
});
