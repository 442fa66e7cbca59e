import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import type { LogGap } from '../../edge/logs/contract/log-frames.ts';
import type { LogMessage } from '../../edge/logs/contract/log-message.ts';
import type { LogPosition } from '../../edge/logs/contract/log-reader.ts';
import { openLogStream } from '../../edge/logs/contract/log-stream.ts';
import { type Edge, postJson, startEdge } from './harness.ts';
import { httpTo } from './log-listener.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-logs-'));
afterAll(() => rmSync(stateDir, { recursive: true }));

const publish = async ({ gateway }: Edge, messages: readonly string[]) => {
  const logs = messages.map((message) => ({ message }));
  const answer = await postJson(new URL('/distributed_brain/publish_logs', gateway), { logs });
  expect(answer.status).toBe(202);
};

/** Follows a platform until something has come, and says how far that was. */
async function followUntil(edge: Edge, last: string, from?: LogPosition) {
  const items: (LogMessage | LogGap)[] = [];
  const stream = openLogStream({
    http: httpTo(edge),
    ...(from ? { from } : { tail: 10 }),
    take: (taken) => void items.push(...taken),
  });
  const isLast = (item: LogMessage | LogGap) => item.type === 'log' && item.message === last;
  await vi.waitFor(() => expect(items.some(isLast)).toBe(true), { timeout: 15_000 });
  stream.close();
  return { items, position: stream.position() };
}

it('goes on after a crash with every stored message once, and a gap where some may be missing', async () => {
  const first = await startEdge({ stateDir });
  await publish(first, ['a', 'b']);
  const before = await followUntil(first, 'b');
  await publish(first, ['c']);
  // Being searched, it writes what waits.
  await fetch(new URL('/distributed_brain/logs', first.gateway));
  await publish(first, ['perhaps lost']);
  // This ends workerd with SIGKILL.
  await first[Symbol.asyncDispose]();

  await using second = await startEdge({ stateDir });
  await publish(second, ['d']);
  const after = await followUntil(second, 'd', before.position);

  const messages = after.items.flatMap((item) => (item.type === 'log' ? [item.message] : []));
  const gaps = after.items.filter((item) => item.type === 'gap');
  expect(messages.filter((message) => message !== 'perhaps lost')).toEqual(['c', 'd']);
  expect(gaps).toHaveLength(1);
  expect(gaps[0]).toMatchObject({ dropped: null });
  expect(after.position?.streamId).toBe(before.position?.streamId);
  const seqs = after.items.map((item) => (item.type === 'log' ? item.seq : item.to_seq));
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
});
