import { parseArgs } from 'node:util';
import { startInstance } from '../edge/instance.ts';
import { percentile, sendSteadily } from './open-loop.ts';
import { openStage } from './gateway-stage.ts';
import { note, report } from './report.ts';

/**
 * A service of three instances under load, one of which is killed in the middle: how many requests
 * that may be sent twice fail. Nine in ten are GET, the others POST with an Idempotency-Key.
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
  },
});
const [rate, seconds] = [Number(values.rate), Number(values.seconds)];

const stage = await openStage();
const instances = await Promise.all(['a', 'b', 'c'].map((name) => startInstance(name)));
try {
  await stage.register({
    name: 'loaded',
    instances: instances.map(({ name, url }) => ({ id: name, url })),
  });
  const killer = setTimeout(() => void instances[1]?.kill(), seconds * 500);
  const answers = await sendSteadily({
    url: new URL('/loaded/x', stage.url).href,
    rate,
    seconds,
    ask: (n) =>
      n % 10 === 0 ? { method: 'POST', body: '{}', headers: { 'idempotency-key': `k${n}` } } : {},
  });
  clearTimeout(killer);
  const failed = answers.filter(({ status }) => status !== 200);
  for (const { status, text } of failed.slice(0, 3)) note(`${status}: ${text}`);
  const shares = instances.map(({ name }) => {
    const served = answers.filter(({ text }) => text === `{"instance":"${name}"}`).length;
    return `${name} ${served}`;
  });
  const times = answers.map(({ ms }) => ms);
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const worst = percentile(times, 1);
  note(`${answers.length} requests: ${shares.join(', ')}`);
  note(`p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${worst.toFixed(0)} ms`);
  report({
    bar: 13,
    name: `failed requests of ${answers.length} at ${rate}/s, an instance killed in the middle`,
    value: failed.length,
    unit: 'requests',
    target: 0,
    better: 'lower',
  });
} finally {
  await stage.close();
  for (const instance of instances) await instance.kill();
}
