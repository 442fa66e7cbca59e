import { describe, expect, it } from 'vitest';
import type { TrainerState } from '../../../trainer/trainer-state.ts';
import { createLending, type StationPort } from '../../../web/trainer-tab/lending.ts';
import type { FromStation, ToStation } from '../../../web/trainer-tab/protocol.ts';
import { browserName } from '../../../web/trainer-tab/tab-facts.ts';

/** A page with a worker that says what a test has it say. */
function page() {
  const sent: ToStation[] = [];
  const gone: string[] = [];
  const events = new EventTarget() as unknown as Window;
  let opened = 0;
  let closed = 0;
  let hear: (message: FromStation) => void = () => {};
  const open = (): StationPort => {
    opened++;
    return {
      send: (message) => void sent.push(message),
      listen: (heard) => {
        hear = heard;
      },
      close: () => void closed++,
    };
  };
  const lending = createLending({ open, sayGone: (id) => void gone.push(id), events });
  const tell = (state: TrainerState) => hear({ kind: 'state', state, trainerId: 'trn_1' });
  const status = () => lending.store.getState().status;
  return {
    lending,
    sent,
    gone,
    events,
    tell,
    status,
    hear: (message: FromStation) => hear(message),
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

describe('lending a tab', () => {
  it('starts one worker however often it is asked, and ends it once it has stopped', () => {
    const { lending, tell, sent, status, counts } = page();
    lending.start();
    lending.start();
    tell({ status: 'idle' });
    lending.stop();
    expect(status()).toBe('stopping');
    tell({ status: 'stopped' });

    expect(sent).toEqual([{ kind: 'stop' }]);
    expect(status()).toBe('off');
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  });

  it('says why it ended where it may not train', () => {
    const { lending, tell, hear, status } = page();
    lending.start();
    tell({ status: 'stopped' });
    hear({ kind: 'failed', message: 'the device is lost' });

    expect(status()).toBe('failed');
    lending.start();
    expect(status()).toBe('on');
  });

  it('asks before the page is left while it trains, and not otherwise', () => {
    const { lending, tell, events } = page();
    const isAsked = () => !events.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    lending.start();
    tell({ status: 'idle' });
    expect(isAsked()).toBe(false);
    tell(TRAINING);

    expect(isAsked()).toBe(true);
  });

  it('tells that it is gone when the page is closed', () => {
    const { lending, tell, events, gone, status } = page();
    lending.start();
    tell(TRAINING);
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
