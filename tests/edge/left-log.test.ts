import { expect, it, vi } from 'vitest';
import { openLogStream } from '../../edge/logs/contract/log-stream.ts';
import { sharedEdge } from './harness.ts';
import { httpTo } from './log-listener.ts';

it('a log that is left while it connects opens its socket before it closes it, as browsers complain otherwise', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const events: string[] = [];
  class Left extends WebSocket {
    constructor(address: string | URL) {
      super(address);
      for (const type of ['open', 'close']) this.addEventListener(type, () => events.push(type));
      this.addEventListener('close', () => resolve());
      queueMicrotask(() => stream.close());
    }
  }
  vi.stubGlobal('WebSocket', Left);
  const stream = openLogStream({ http: httpTo(await sharedEdge()), take: () => {} });

  await ended.finally(() => vi.unstubAllGlobals());
  expect(events).toEqual(['open', 'close']);
});
