import { describe, expect, it } from 'vitest';
import { createNodeInTab } from '../../../web/brain-tab/tab-node-store.ts';
import type { FromTabNode, TabNode, ToTabNode } from '../../../web/brain-tab/protocol.ts';

const NODE: TabNode = { nodeId: 'motor-tab-1', type: 'motor', model: '', region: 'local' };

/** A page with a worker that says what a test has it say. */
function page() {
  const sent: ToTabNode[] = [];
  const events = new EventTarget() as unknown as Window;
  const workers: { hear: (message: FromTabNode) => void; crash: (why: string) => void }[] = [];
  let closed = 0;
  const tab = createNodeInTab({
    events,
    open: () => ({
      send: (message) => void sent.push(message),
      listen: (hear, crash) => void workers.push({ hear, crash }),
      close: () => void closed++,
    }),
  });
  return { tab, sent, events, workers, state: () => tab.store.getState(), closed: () => closed };
}

describe('a node in a tab', () => {
  it('starts once, counts what it answers, and leaves in order', () => {
    const { tab, sent, workers, state, closed } = page();
    tab.start(NODE);
    tab.start(NODE);
    expect(state()).toEqual({ status: 'starting', node: NODE });
    workers[0]?.hear({ kind: 'joined' });
    workers[0]?.hear({ kind: 'answered', count: 3 });
    expect(state()).toEqual({ status: 'on', node: NODE, answered: 3 });

    tab.stop();
    workers[0]?.hear({ kind: 'answered', count: 4 });
    expect(state()).toEqual({ status: 'leaving', node: NODE });
    workers[0]?.hear({ kind: 'left' });

    expect(sent).toEqual([{ kind: 'start', node: NODE }, { kind: 'leave' }]);
    expect(state()).toEqual({ status: 'off' });
    expect([workers.length, closed()]).toEqual([1, 1]);
  });

  it.each([
    [
      'refuses',
      (worker: ReturnType<typeof page>['workers'][number]) =>
        worker.hear({ kind: 'failed', message: 'there is no model wolf' }),
    ],
    [
      'dies',
      (worker: ReturnType<typeof page>['workers'][number]) =>
        worker.crash('there is no model wolf'),
    ],
  ])('says why its worker %s, and can be started again', (_, fail) => {
    const { tab, workers, state } = page();
    tab.start(NODE);

    fail(workers[0]!);

    expect(state()).toMatchObject({
      status: 'failed',
      error: { message: 'there is no model wolf' },
    });
    tab.start(NODE);
    expect(state().status).toBe('starting');
    expect(workers).toHaveLength(2);
  });

  it('ends at once while it is starting, and with the page', () => {
    const { tab, events, state, closed } = page();
    tab.start(NODE);
    tab.stop();
    expect(state().status).toBe('off');

    tab.start(NODE);
    events.dispatchEvent(new Event('pagehide'));

    expect(state().status).toBe('off');
    expect(closed()).toBe(2);
  });
});
