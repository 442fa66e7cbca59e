import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeIn } from './answer-log.ts';
import { type Edge, startEdge } from './harness.ts';
import { judgeBy } from './openapi-schemas.ts';
import { type ExampleSender, exampleSender } from './property-answers.ts';
import { all, document, operations, repeatable } from './property-operations.ts';
import { exampleOf, requestsOf } from './property-requests.ts';
import { createWorld, type World } from './property-world.ts';

/** Of each operation. `SPIKEGRID_PROPERTY_RUNS=100` looks further. */
const RUNS = Number(process.env['SPIKEGRID_PROPERTY_RUNS'] ?? 15);
const SEED = 4;

let edge: Edge;
let world: World;
let sender: ExampleSender;

beforeAll(async () => {
  edge = await startEdge({ vars: { TARGET_ALLOWLIST: ['127.0.0.1'] } });
  world = createWorld(edge.gateway, operations);
  const judge = judgeBy(document, { closed: true });
  sender = exampleSender({ document, base: edge.gateway, judge }, world);
});
afterAll(() => edge[Symbol.asyncDispose]());

describe('the example of an operation', () => {
  beforeAll(() => world.rename());

  it.each(all)('%s is answered as documented, twice', async (_, described) => {
    const first = await sender.send(described);
    await world.learn(described, first.answer);
    const second = await sender.send(described);

    expect([first.fault, second.fault]).toEqual(['', '']);
  });
});

describe('any request', () => {
  let isWhole = false;

  it.each(all)('%s is answered as documented', async (_, described) => {
    if (!isWhole) await world.makeAnew();
    isWhole = described.method !== 'DELETE';

    const answered = fc.asyncProperty(requestsOf(document, described), async (request) => {
      const { fault } = await sender.send(described, request);
      if (fault !== '') throw new Error(fault);
    });
    const details = await fc.check(answered, { numRuns: RUNS, seed: SEED, endOnFailure: true });

    expect(String(details.errorInstance ?? ''), fc.defaultReportMessage(details)).toBe('');
  });
});

describe('an Idempotency-Key', () => {
  beforeAll(() => world.rename());

  it.each(repeatable)('%s: holds for one request', async (id, described) => {
    const { body: text } = exampleOf(described);
    const body = text === undefined ? '{}' : `${String(text)} `;
    const headers = { 'content-type': 'application/json', 'idempotency-key': id };

    const first = await sender.sendWith(described, { 'idempotency-key': id });
    const second = await sender.sendWith(described, { 'idempotency-key': id });
    const other = await sender.send(described, { headers, body });

    expect([first.fault, second.fault, other.fault]).toEqual(['', '', '']);
  });

  // There is no inference service here that would take its time to answer.
  // Tests run for nobody by his place: test-runs-refused.test.ts has them.
  const slow = repeatable.filter(([id]) => !['gateway_generate', 'gateway_runTests'].includes(id));

  it.each(slow)('%s: refuses other requests meanwhile', async (id, described) => {
    const seen = new Set<string>();
    let round = 0;
    const sendAtOnce = async () => {
      const headers = { 'idempotency-key': `${id}-${round++}` };
      const other = { 'content-type': 'application/json', ...headers };
      const answers = await Promise.all([
        sender.sendWith(described, headers),
        sender.sendWith(described, headers),
        sender.send(described, { headers: other, body: '{"other":1}' }),
      ]);
      for (const { answer } of answers) seen.add(codeIn(await answer.text()));
      return [...seen];
    };

    // Whether they meet is up to the scheduler.
    await expect
      .poll(sendAtOnce, { timeout: 20_000 })
      .toEqual(expect.arrayContaining(['idempotency_in_flight', 'idempotency_mismatch']));
  });
});
