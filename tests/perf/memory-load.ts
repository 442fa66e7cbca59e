import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, clientOf } from '../../edge/contract/client.ts';
import { memoryEndpoints } from '../../edge/memory/endpoints.ts';
import type { NewMemoryInput } from '../../edge/memory/contract/memory.ts';
import type { MemoryHit } from '../../edge/memory/contract/search.ts';
import { startEdge } from '../edge/harness.ts';
import { median, note, report } from './report.ts';

/*
 * Stores many memories in one namespace, asks for some of them cold and warm, ends the platform with
 * SIGKILL and asks the same again: `node tests/perf/memory-load.ts [--count 100000]`.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '200' },
  },
});
const COUNT = Number(values.count);
const QUERIES = Number(values.queries);
const BATCH = 64;
/** Requests on their way at once, so that reading texts and writing them overlap. */
const SENDERS = 2;
const NAMESPACE = 'load';

const PARTS = ['pump', 'valve', 'filter', 'bearing', 'turbine', 'conveyor', 'sensor', 'relay'];
const FAULTS = ['overheated', 'leaked', 'seized', 'clogged', 'drifted', 'tripped', 'cracked'];
const CAUSES = ['dust in the intake', 'a worn seal', 'low oil', 'a loose cable', 'high humidity'];
const PLACES = ['hall', 'line', 'dock', 'yard', 'cellar'];
const JA_PARTS = ['ポンプ', '弁', 'フィルター', '軸受', 'タービン'];
const JA_FAULTS = ['過熱', '漏れ', '停止', '詰まり', '故障'];

const pick = (list: readonly string[], n: number): string => list[n % list.length] ?? '';

/** Texts of some 120 characters; every tenth is Japanese. Each has a number that no other has. */
function textOf(n: number): string {
  if (n % 10 === 9) {
    const cause = pick(JA_FAULTS, n * 7 + 1);
    return `${pick(JA_PARTS, n)}${n}号機は${cause}が原因で${pick(JA_FAULTS, n * 3)}した。担当者が点検し、部品を交換して記録した。`;
  }
  const part = `${pick(PARTS, n * 3)} ${n}`;
  const place = `${pick(PLACES, n * 11)} ${(n * 13) % 97}`;
  return `The ${part} in ${place} ${pick(FAULTS, n * 5)} because of ${pick(CAUSES, n * 7)}. The shift replaced the part and wrote it into log ${n * 31}.`;
}

function memoryOf(n: number): NewMemoryInput {
  const hour = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
  return {
    namespace: NAMESPACE,
    content: textOf(n),
    occurred_at: hour,
    user_id: `user-${n % 50}`,
    tags: [`line-${n % 20}`],
    importance: ((n * 37) % 100) / 100,
  };
}

/** A query: a rare word, common words, Japanese, a short word, by turns. */
function questionOf(i: number): string {
  const n = (i * 7919) % COUNT;
  const kinds = [
    `what happened to the ${pick(PARTS, n * 3)} ${n}?`,
    `${pick(FAULTS, n)} because of ${pick(CAUSES, n)}`,
    `${pick(JA_PARTS, n)}が${pick(JA_FAULTS, n)}した原因`,
    pick(JA_FAULTS, n),
  ];
  return kinds[i % kinds.length] ?? '';
}

async function storeAll(client: Client<typeof memoryEndpoints>): Promise<void> {
  const began = performance.now();
  let next = 0;
  const sender = async () => {
    while (next < COUNT) {
      const first = next;
      next += BATCH;
      const count = Math.min(BATCH, COUNT - first);
      await client.storeMemories({
        body: { memories: Array.from({ length: count }, (_, i) => memoryOf(first + i)) },
      });
      if (first % (BATCH * 200) === 0) note(`${first} stored, ${since(began)} s`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  const rate = Math.round((COUNT / (performance.now() - began)) * 1000);
  report({
    name: `memories stored a second, ${COUNT}`,
    value: rate,
    unit: '/s',
    target: 500,
    better: 'higher',
  });
}

const since = (began: number) => ((performance.now() - began) / 1000).toFixed(0);

interface Asked {
  readonly ms: number;
  readonly hits: readonly MemoryHit[];
}

async function askAll(
  client: Client<typeof memoryEndpoints>,
  asOf: string,
): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const began = performance.now();
    const { results } = await client.retrieveMemories({
      query: {
        q: questionOf(i),
        namespace: NAMESPACE,
        as_of: asOf,
      },
    });
    asked.push({ ms: performance.now() - began, hits: results });
  }
  return asked;
}

function reportTimes(name: string, asked: readonly Asked[]): void {
  const sorted = asked.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
  const round = (ms: number) => Number(ms.toFixed(1));
  report({
    name: `${name}, p50`,
    value: round(median(sorted)),
    unit: 'ms',
    target: 50,
    better: 'lower',
  });
  report({ name: `${name}, p99`, value: round(p99), unit: 'ms', target: 250, better: 'lower' });
}

/** Resident bytes of every workerd that this process started. */
function workerdBytes(): number {
  let bytes = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const isOurs =
        status.includes(`PPid:\t${process.pid}\n`) && status.startsWith('Name:\tworkerd');
      if (isOurs) bytes += 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    } catch {
      // It has ended meanwhile.
    }
  }
  return bytes;
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);

const megabytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(1));

const stateDir = await mkdtemp(join(tmpdir(), 'spikegrid-memory-load-'));
try {
  const asOf = new Date().toISOString();
  let edge = await startEdge({ stateDir });
  let client = clientOf(memoryEndpoints, { base: edge.gateway.origin });
  await storeAll(client);
  const [first, ...warm] = await askAll(client, asOf);
  reportTimes('retrieve while warm', warm);
  note(`${first?.hits.length} results for ${JSON.stringify(questionOf(0))}`);
  note(JSON.stringify(await client.memoryStats({ query: { namespace: NAMESPACE } })));
  const resident = megabytes(workerdBytes());
  report({
    name: 'resident memory of workerd',
    value: resident,
    unit: 'MB',
    target: 512,
    better: 'lower',
  });
  report({
    name: 'storage',
    value: megabytes(bytesIn(stateDir)),
    unit: 'MB',
    target: 512,
    better: 'lower',
  });

  // This ends workerd with SIGKILL.
  await edge[Symbol.asyncDispose]();
  edge = await startEdge({ stateDir });
  client = clientOf(memoryEndpoints, { base: edge.gateway.origin });
  const after = await askAll(client, asOf);
  const cold = Number(after[0]?.ms.toFixed(1));
  report({
    name: 'the first retrieve after a start',
    value: cold,
    unit: 'ms',
    target: 2_000,
    better: 'lower',
  });
  const before = [first, ...warm];
  const same = after.filter(
    ({ hits }, i) => JSON.stringify(hits) === JSON.stringify(before[i]?.hits),
  );
  report({
    name: 'queries with equal results after SIGKILL',
    value: same.length,
    unit: `of ${QUERIES}`,
    target: QUERIES,
    better: 'higher',
  });
  await edge[Symbol.asyncDispose]();
} finally {
  rmSync(stateDir, { recursive: true, force: true });
}
