import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGeoClient, type GeoClient } from '../../edge/geo/contract/client.ts';
import { openStage, type Stage } from './gateway-stage.ts';
import { median, note, report } from './report.ts';
import { ofNode } from '../edge/geo-params.ts';

/*
 * Bar 16: how long the platform serves nobody when its active region falls silent. Nodes of three
 * regions send heartbeats every 2 s to the real Geo object in workerd and serve requests through the
 * real gateway; the heartbeats of the active region stop, and a client asks until another region
 * answers. What is measured is the time from the last heartbeat to that answer. `npm run bench` takes
 * three, `node tests/perf/failover.ts [count]` as many as asked for; fifty take about an hour, as automatic failovers are a minute
 * apart at least and a region that was away has to be stable for another. Every five the platform
 * starts anew, or the flap damping would hold the regions back for longer.
 */
const COUNT = Number(process.argv[2] ?? 50);
const PER_STAGE = 5;
const REGIONS = ['ap-northeast-1', 'us-east-1', 'us-west-2'];
const NODES = 2;
const BEAT_MS = 2_000;
const ASK_EVERY_MS = 20;
/** The bar in seconds; the platform's description promises 30. */
const ASKED_S = 8;

interface Region {
  readonly id: string;
  readonly urls: readonly string[];
  /** Time of its last response, in epoch milliseconds. */
  lastBeatAt: number;
  isSilent: boolean;
}

const closers: (() => void)[] = [];

async function startServer(regionId: string): Promise<string> {
  const server = createServer({ keepAliveTimeout: 75_000 }, (_, response) =>
    response.end(regionId),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startRegion(id: string): Promise<Region> {
  const urls = await Promise.all(Array.from({ length: NODES }, () => startServer(id)));
  return { id, urls, lastBeatAt: 0, isSilent: false };
}

/** Registers the nodes and keeps them alive until the platform ends. */
async function join(geo: GeoClient, region: Region, ended: AbortSignal): Promise<void> {
  region.isSilent = false;
  for (const [n, url] of region.urls.entries()) {
    const nodeId = `${region.id}-${n}`;
    const endpoint = new URL(url).host;
    await geo.createNode({ body: { node_id: nodeId, region_id: region.id, endpoint } });
    const beat = async () => {
      if (region.isSilent) return;
      const sentAt = Date.now();
      await geo.heartbeat({ ...ofNode(nodeId), body: {} });
      region.lastBeatAt = Math.max(region.lastBeatAt, sentAt);
    };
    await beat();
    const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS);
    ended.addEventListener('abort', () => clearInterval(timer));
  }
}

async function ask(stage: Stage): Promise<string> {
  const answer = await fetch(new URL('/cortex/x', stage.url)).catch(() => undefined);
  return answer?.ok ? answer.text() : '';
}

/** Silences the active region. Seconds from its last heartbeat to the first answer of another one. */
async function measureOne(stage: Stage, geo: GeoClient, regions: readonly Region[]) {
  const { region_id: activeId } = await geo.getActiveRegion();
  const active = regions.find(({ id }) => id === activeId);
  if (!active) throw new Error(`${activeId} is none of ${REGIONS.join(', ')}`);
  active.isSilent = true;
  await sleep(100);
  for (;;) {
    const answered = await ask(stage);
    if (answered !== '' && answered !== activeId) break;
    await sleep(ASK_EVERY_MS);
  }
  const seconds = (Date.now() - active.lastBeatAt) / 1000;
  active.isSilent = false;
  return seconds;
}

/** All regions are well again, and the next failover need not wait for the one before. */
async function recover(geo: GeoClient): Promise<void> {
  await sleep(60_000);
  for (;;) {
    const { regions } = await geo.geoStatus();
    if (REGIONS.every((id) => regions[id]?.status === 'online')) return;
    await sleep(500);
  }
}

async function measureSome(count: number, regions: readonly Region[]): Promise<number[]> {
  const stage = await openStage();
  const ended = new AbortController();
  try {
    const geo = createGeoClient({ base: stage.url.origin });
    for (const region of regions) await join(geo, region, ended.signal);
    const instances = regions.flatMap(({ id, urls }) =>
      urls.map((url) => ({ url, region_id: id })),
    );
    await stage.register({ name: 'cortex', instances });
    await sleep(5_000);
    const found: number[] = [];
    for (let i = 0; i < count; i++) {
      if (i > 0) await recover(geo);
      const seconds = await measureOne(stage, geo, regions);
      found.push(seconds);
      note(`${seconds.toFixed(2)} s`);
    }
    const { history } = await geo.failoverHistory({ query: { limit: count } });
    const inside = history.map(({ duration_ms }) => duration_ms);
    note(`from detection to the switch: ${median(inside)} ms in the middle`);
    return found;
  } finally {
    ended.abort();
    await stage.close();
  }
}

const regions = await Promise.all(REGIONS.map(startRegion));
const all: number[] = [];
while (all.length < COUNT) {
  all.push(...(await measureSome(Math.min(PER_STAGE, COUNT - all.length), regions)));
}
for (const close of closers) close();

const sorted = all.toSorted((a, b) => a - b);
const quantile = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
for (const q of [0, 0.5, 0.9, 0.99, 1]) note(`p${q * 100}: ${quantile(q)?.toFixed(2)} s`);
report({
  bar: 16,
  name: `${COUNT} failovers: last heartbeat to the first answer of the next region, p99`,
  value: Number((quantile(0.99) ?? 0).toFixed(2)),
  unit: 's',
  target: ASKED_S,
  better: 'lower',
});
