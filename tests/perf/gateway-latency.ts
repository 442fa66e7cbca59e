import { startInstance } from '../edge/instance.ts';
import { percentile, sendSteadily } from './open-loop.ts';
import { openStage } from './gateway-stage.ts';
import { median, note, report } from './report.ts';

/**
 * Bar 13: what the gateway adds to a request to a registered service, against the same service
 * asked directly; a bare proxy in Node is the peer. All are asked in turn, so that what else the
 * machine does meets each of them.
 */
const RATE = 500;
const SECONDS = 3;
const ROUNDS = 7;

const upstream = await startInstance('upstream');
const proxy = await startInstance(upstream.url, new URL('proxy-process.ts', import.meta.url));
const stage = await openStage();
try {
  await stage.register({ name: 'measured', url: upstream.url });
  const ways = {
    direct: `${upstream.url}/x`,
    node: `${proxy.url}/x`,
    gateway: new URL('/measured/x', stage.url).href,
  };
  for (const url of Object.values(ways)) await sendSteadily({ url, rate: RATE, seconds: 2 });
  const added: Record<'node' | 'gateway', number[]> = { node: [], gateway: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const [direct, node, gateway] = [
      await p50(ways.direct),
      await p50(ways.node),
      await p50(ways.gateway),
    ];
    added.node.push(node - direct);
    added.gateway.push(gateway - direct);
    note(`direct ${direct.toFixed(2)} ms, Node ${node.toFixed(2)}, gateway ${gateway.toFixed(2)}`);
  }
  report({
    bar: 13,
    name: `what the gateway adds at ${RATE} requests/s, p50`,
    value: median(added.gateway),
    unit: 'ms',
    target: 1,
    better: 'lower',
    peers: { 'a plain Node proxy': median(added.node) },
  });
} finally {
  await stage.close();
  await proxy.kill();
  await upstream.kill();
}

async function p50(url: string): Promise<number> {
  const answers = await sendSteadily({ url, rate: RATE, seconds: SECONDS });
  const failed = answers.find(({ status }) => status !== 200);
  if (failed) throw new Error(`${url} answered ${failed.status}: ${failed.text}`);
  return percentile(
    answers.map(({ ms }) => ms),
    0.5,
  );
}
