import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { connectAsync } from 'mqtt';
import { brokerUrl, clientOptions } from '../../edge/discovery/contract/node-connection.ts';
import { percentile } from './open-loop.ts';
import { openStage } from './gateway-stage.ts';
import { note, report } from './report.ts';

/**
 * Bar 15: so many nodes at one broker, each with a heartbeat of 200 bytes every two seconds, over
 * WebSockets of real clients. One of them reads all heartbeats: what does not reach it is lost, and the
 * end-to-end time is reported. The fraction of a core is workerd's processor time.
 */
const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '3000' },
    seconds: { type: 'string', default: '30' },
    /** Processes that the clients are spread over. */
    processes: { type: 'string', default: '2' },
    /** A platform that runs already; its workerd has to be named by `--pid`. */
    gateway: { type: 'string' },
    pid: { type: 'string' },
    /** Leaves out the reader: then only processor time is reported. */
    unread: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const [clients, seconds, processes] = [values.clients, values.seconds, values.processes].map(
  Number,
) as [number, number, number];

const stage = values.gateway === undefined ? await openStage() : undefined;
const gateway = values.gateway ?? stage?.url.href ?? '';
const pids = values.pid === undefined ? workerdOf(process.pid) : [Number(values.pid)];
const where = { gateway, namespace: 'load', region: 'tokyo' };
const children = Array.from({ length: processes }, (_, i) =>
  fork(new URL('mqtt-load-process.ts', import.meta.url), [
    brokerUrl(where),
    String(Math.floor(clients / processes) + (i < clients % processes ? 1 : 0)),
    `p${i}`,
  ]),
);
try {
  const reader = values.unread
    ? undefined
    : await connectAsync(brokerUrl(where), clientOptions('reader'));
  const times: number[] = [];
  reader?.on('message', (_, payload) => {
    const text = payload.toString();
    if (!text.includes('"counted":true')) return;
    const sentAt = Number(/"timestamp":([\d.]+)/.exec(text)?.[1]) * 1000;
    times.push(performance.timeOrigin + performance.now() - sentAt);
  });
  await reader?.subscribeAsync('heartbeat/+');
  const startedAt = performance.now();
  await Promise.all(children.map((child) => once(child, 'message')));
  note(`${clients} clients connected in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  // Every client has sent its first heartbeat by now, spread over two seconds.
  await wait(4_000);
  const before = processorTime(pids);
  for (const child of children) child.send('count');
  await wait(seconds * 1000);
  const sentEach = await Promise.all(children.map(countOf));
  const share = (processorTime(pids) - before) / seconds;
  await wait(2_000);
  const sent = sentEach.reduce((sum, count) => sum + count, 0);
  tell({ sent, times, share });
  await reader?.endAsync(true);
} finally {
  for (const child of children) child.kill();
  await stage?.close();
}

interface Result {
  readonly sent: number;
  readonly times: readonly number[];
  /** Of one core. */
  readonly share: number;
}

function tell({ sent, times, share }: Result): void {
  const name = `${clients} nodes, a heartbeat each 2 s, for ${seconds} s`;
  note(`${sent} heartbeats, ${(sent / seconds).toFixed(0)} a second`);
  if (!values.unread) {
    const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => percentile(times, part).toFixed(1));
    note(`p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`);
    report({
      bar: 15,
      name: `${name}: lost`,
      value: sent - times.length,
      unit: 'heartbeats',
      target: 0,
      better: 'lower',
    });
    report({
      bar: 15,
      name: `${name}: p99`,
      value: percentile(times, 0.99),
      unit: 'ms',
      target: 20,
      better: 'lower',
    });
  }
  report({
    bar: 15,
    name: `${name}: workerd`,
    value: share,
    unit: 'cores',
    target: 0.25,
    better: 'lower',
  });
}

async function countOf(child: (typeof children)[number]): Promise<number> {
  const answer = once(child, 'message');
  child.send('tell');
  const [count] = (await answer) as [number];
  return count;
}

/** Every workerd that this process or one of its own has started. */
function workerdOf(parent: number): readonly number[] {
  const tasks = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8');
  return tasks
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .flatMap((pid) => {
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      return name === 'workerd' ? [pid] : workerdOf(pid);
    });
}

/** Seconds that processes have had of processors: user and system, in ticks of 10 ms (proc(5)). */
function processorTime(of: readonly number[]): number {
  return of.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
