import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeIn } from './answer-log.ts';
import { type Edge, startEdge } from './harness.ts';
import { type Described, judgeBy, responseOf } from './openapi-schemas.ts';
import { bodyFault, type ExampleSender, exampleSender, otherMethods } from './property-answers.ts';
import { all, document, operationOf, operations, repeatable } from './property-operations.ts';
import { exampleOf, requestsOf } from './property-requests.ts';
import { createWorld, type World } from './property-world.ts';
import { sendRaw } from './raw-http.ts';

/** Of each operation: the last of them alone reach some documented answers. `SPIKEGRID_PROPERTY_RUNS=100` looks further. */
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

/** Takes the good ones of several metrics and says what is wrong with the others. */
const PARTIAL = 'monitoring_pushMetrics';

describe('any request', () => {
  const judge = judgeBy(document, { closed: false });
  let isWhole = false;

  it.each(all)('%s is answered as documented', async (id, described) => {
    if (!isWhole) await world.makeAnew();
    isWhole = described.method !== 'DELETE';

    const answered = fc.asyncProperty(requestsOf(document, described), async (request) => {
      const { fault, answer } = await sender.send(described, request);
      if (fault !== '') throw new Error(fault);
      const wrong = answer.ok && id !== PARTIAL ? bodyFault(judge, described, request) : '';
      if (wrong !== '') throw new Error(`${id} takes ${String(request.body)}: ${wrong}`);
    });
    const details = await fc.check(answered, { numRuns: RUNS, seed: SEED, endOnFailure: true });

    expect(String(details.errorInstance ?? ''), fc.defaultReportMessage(details)).toBe('');
  });
});

describe('a path', () => {
  it('refuses methods that it does not take, and says which it does', async () => {
    const isOfNobody = (target: string) => /^\/(?:inference|plugin-host|test-host)\//.test(target);
    const others = otherMethods(document).filter(({ target }) => !isOfNobody(target));
    const refused = await Promise.all(
      others.map(async ({ method, target }) => {
        const head = `${method} ${target} HTTP/1.1\r\nHost: ${edge.gateway.host}\r\n`;
        const { status, text } = await sendRaw(edge.gateway, `${head}Connection: close\r\n\r\n`);
        return /^allow: \S/im.test(text) ? status : `${method} ${target}: ${status}`;
      }),
    );

    expect(new Set(refused)).toEqual(new Set([405]));
  });
});

describe('what an answer links to', () => {
  beforeAll(() => world.rename());

  it('is found once it was made, and gone once it was deleted', async () => {
    const made: Linked[] = [];
    for (const [, described] of all.filter(([, { method }]) => ['POST', 'PUT'].includes(method))) {
      const { answer } = await sender.send(described);
      await world.learn(described, answer);
      made.push(...(await linksOf(described, answer)));
    }
    const find = async ({ method, url }: Linked, wanted: string) => {
      if (method !== wanted) return [];
      const answer = await fetch(url, { method });
      await answer.body?.cancel();
      return [`${method} ${url.pathname} ${answer.status}`];
    };

    const found = await Promise.all(made.map((link) => find(link, 'GET')));
    const deleted: string[] = [];
    for (const link of made.toReversed()) deleted.push(...(await find(link, 'DELETE')));
    const again = await Promise.all(made.map((link) => find(link, 'GET')));

    expect(found.flat().filter((text) => !text.endsWith(' 200'))).toEqual([]);
    // A version that an alias points to, or that others are made of, stays.
    expect(deleted.filter((text) => !/ (?:200|204|404|409)$/.test(text))).toEqual([]);
    const isGone = (text: string) =>
      deleted.some((one) => / 20\d$/.test(one) && one.split(' ')[1] === text.split(' ')[1]);
    expect(again.flat().filter((text) => isGone(text) && !text.endsWith(' 404'))).toEqual([]);
  });
});

interface Linked {
  readonly method: string;
  readonly url: URL;
}

/** Where the links of an answer lead, their expressions filled in. */
async function linksOf(described: Described, answer: Response): Promise<readonly Linked[]> {
  const { links = {} } = responseOf(document, described, answer.status) ?? {};
  const body: unknown = await answer.json().catch(() => undefined);
  const sent = world.translate(exampleOf(described)).path.split('?')[0]?.split('/') ?? [];
  const valueOf = (expression: string) => {
    const [, name] = /^\$request\.path\.(.+)$/.exec(expression) ?? [];
    if (name !== undefined) return sent[described.path.split('/').indexOf(`{${name}}`)];
    const path = expression.replace('$response.body#/', '').split('/');
    return path.reduce<unknown>(
      (value, member) => (value as Record<string, unknown>)[member],
      body,
    );
  };
  return Object.values(links).map(({ operationId, parameters }) => {
    const { method, path } = operationOf(operationId);
    const url = new URL(
      path.replace(/\{([^}]+)\}/g, (_, name: string) => String(valueOf(parameters[name]!))),
      edge.gateway,
    );
    for (const [name, expression] of Object.entries(parameters)) {
      if (!path.includes(`{${name}}`)) url.searchParams.set(name, String(valueOf(expression)));
    }
    return { method, url };
  });
}

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
  // No address alone allows test runs: test-runs-refused.test.ts has them.
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
