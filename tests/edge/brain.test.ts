import { connectAsync } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { answeringWith, startBrainNode } from '../../brain/brain-node.ts';
import { startPfcNode } from '../../brain/pfc-node.ts';
import { findRegions } from '../../brain/pfc-regions.ts';
import type { BrainPromptInput } from '../../edge/contract/brain/prompt.ts';
import { BrainRoute } from '../../edge/contract/brain/reply.ts';
import { BrainAnswered, RouteList } from '../../edge/contract/brain-endpoints.ts';
import { mqttLine } from '../../edge/contract/discovery/message-line.ts';
import { UiExport } from '../../edge/contract/discovery/node.ts';
import { brokerUrl, nodeOptions } from '../../edge/contract/discovery/node-connection.ts';
import { openHttp } from '../../edge/contract/http-client.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';

const SOON = { timeout: 10_000, interval: 50 };

let edge: GuardedEdge;
let key: string;
beforeAll(async () => {
  edge = await startGuardedEdge();
  key = (await edge.keyFor(['infer', 'discovery:read'])).key;
});
afterAll(() => edge[Symbol.asyncDispose]());

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(endings.splice(0).map((end) => end()));
});

const place = (nodeId: string, moduleType: string, regionId = 'tokyo') => ({
  nodeId,
  moduleType,
  regionId,
  host: 'here',
});

async function open(namespace: string, nodeId: string, region = 'tokyo', its = key) {
  const url = brokerUrl({ gateway: edge.gateway, namespace, region });
  const client = await connectAsync(url, nodeOptions(nodeId, its), false);
  endings.push(() => client.endAsync(true));
  // As a process that is killed: nobody says goodbye, and nobody comes back.
  const kill = () => {
    client.options.reconnectPeriod = 0;
    client.stream.destroy();
  };
  return { line: mqttLine(client), kill };
}

type Answer = (text: string) => string | Promise<string>;

/** A node that makes another text of a text. */
async function startText(
  namespace: string,
  nodeId: string,
  { type = 'lang-main', region = 'tokyo', answer = (text) => `${nodeId}: ${text}` } = {} as {
    readonly type?: string;
    readonly region?: string;
    readonly answer?: Answer;
  },
) {
  const { line, kill } = await open(namespace, nodeId, region);
  const where = place(nodeId, type, region);
  const node = await startBrainNode({
    ...{ place: where, line, metadata: {}, onError: () => {} },
    answer: answeringWith(where, {
      metadata: {},
      answer: async ({ text = '' }) => ({ outputs: { text: await answer(text) }, model: null }),
      close: async () => {},
    }),
  });
  return { node, kill };
}

let routes = 0;
const makeId = () => `route_${routes++}`;

async function startPfc(namespace: string, nodeId = 'pfc', its = key) {
  const own = await open(namespace, nodeId, 'tokyo', its);
  const faults: unknown[] = [];
  const onError = (error: unknown) => void faults.push(error);
  // It is started before the others, so it hears them announced.
  const node = await startPfcNode({
    place: place(nodeId, 'pfc'),
    namespace,
    connect: async () => own.line,
    reach: [],
    onError,
    makeId,
    settleMs: 0,
  });
  return { node, kill: own.kill, faults };
}

const get = (path: string) => send(new URL(path, edge.gateway), { key });

/** Waits until the gateway sees these nodes active, and nobody else. */
const active = (namespace: string, ...ids: readonly string[]) =>
  vi.waitFor(async () => {
    const answer = await get(`/api/node-discovery/health?namespace=${namespace}`);
    const { nodes } = UiExport.parse(await answer.json());
    const found = nodes.filter(({ status }) => status === 'active').map(({ node_id: id }) => id);
    expect(found.toSorted()).toEqual(ids.toSorted());
  }, SOON);

const post = (namespace: string, json: BrainPromptInput | Record<string, unknown>) =>
  send(new URL(`/api/brain/ask?namespace=${namespace}`, edge.gateway), {
    key,
    method: 'POST',
    json,
  });

async function ask(namespace: string, prompt: BrainPromptInput): Promise<BrainAnswered> {
  const answer = await post(namespace, prompt);
  const body: unknown = await answer.json();
  expect(answer.status, JSON.stringify(body)).toBe(200);
  return BrainAnswered.parse(body);
}

describe('a prompt to a brain', () => {
  it('is answered by the right module, and the route says why', async () => {
    await startPfc('right');
    await startText('right', 'lang-1');
    await startText('right', 'eye-1', { type: 'visual' });
    await active('right', 'lang-1', 'eye-1', 'pfc');

    const { answer, route } = await ask('right', { text: 'hello' });
    const seen = await ask('right', { text: 'look', image: 'aGVsbG8=' });

    expect(answer).toMatchObject({ node_id: 'lang-1', outputs: { text: 'lang-1: hello' } });
    expect(route).toMatchObject({
      pfc: { node_id: 'pfc', region_id: 'tokyo' },
      status: 'answered',
      node_id: 'lang-1',
      fallback: false,
      reason: 'lang-1 is the only lang-main node to take it in tokyo',
      hops: [{ topic: 'node/lang-1/prompt', status: 'answered' }],
    });
    expect(seen.route).toMatchObject({ base_type: 'visual', node_id: 'eye-1', fallback: false });
    const { routes, total } = RouteList.parse(
      await (await get('/api/brain/routes?namespace=right&limit=1')).json(),
    );
    expect(total).toBe(2);
    expect(routes).toEqual([seen.route]);
  });

  it('goes the way of lang-main where no node of its module is active', async () => {
    await startPfc('fallback');
    await startText('fallback', 'lang-1');
    await active('fallback', 'lang-1', 'pfc');

    const { answer, route } = await ask('fallback', { text: 'look', target: 'visual' });

    expect(answer.node_id).toBe('lang-1');
    expect(route).toMatchObject({
      target: 'visual',
      node_id: 'lang-1',
      fallback: true,
      reason: 'no visual node is active: it goes to pfc/text_prompt',
      hops: [{ topic: 'pfc/text_prompt', node_id: 'lang-1' }],
    });
  });

  it('goes the way of lang-main where the PFC may not see who is there', async () => {
    await startText('blind', 'lang-1');
    await startText('blind', 'eye-1', { type: 'visual' });
    const blind = await edge.keyFor(['infer']);
    const { faults } = await startPfc('blind', 'pfc', blind.key);
    await active('blind', 'lang-1', 'eye-1', 'pfc');

    const { route } = await ask('blind', { text: 'look', target: 'visual' });

    expect(String(faults)).toMatch(/not authorized/i);
    expect(route).toMatchObject({ node_id: 'lang-1', fallback: true });
    expect(route.reason).toContain('discovery is unavailable');
  });

  it('is answered by another node where the first is killed on the way', async () => {
    await startPfc('killed');
    const nodes = new Map<string, () => void>();
    const begun = Promise.withResolvers<string>();
    for (const id of ['lang-1', 'lang-2']) {
      const answer = (text: string) => {
        begun.resolve(id);
        return text === 'slow' && nodes.has(id) ? new Promise<string>(() => {}) : `${id}: ${text}`;
      };
      nodes.set(id, (await startText('killed', id, { answer })).kill);
    }
    await active('killed', 'lang-1', 'lang-2', 'pfc');
    const asked = ask('killed', { text: 'slow' });
    const victim = await begun.promise;
    const kill = nodes.get(victim);
    nodes.clear();

    kill?.();

    const { answer, route } = await asked;
    const other = victim === 'lang-1' ? 'lang-2' : 'lang-1';
    expect(answer.node_id).toBe(other);
    expect(route.hops).toMatchObject([
      { node_id: victim, status: 'left', detail: `${victim} has left` },
      { node_id: other, status: 'answered' },
    ]);
  });

  it('is handed to another node by one that is about to leave', async () => {
    await startPfc('leaving');
    const asleep = Promise.withResolvers<string>();
    const first = await startText('leaving', 'lang-1', { answer: () => asleep.promise });
    await active('leaving', 'lang-1', 'pfc');
    const slow = ask('leaving', { text: 'a' });
    await vi.waitFor(async () => {
      const answer = await get('/api/node-discovery/health?namespace=leaving');
      const { nodes } = UiExport.parse(await answer.json());
      const { metadata } = nodes.find(({ node_id: id }) => id === 'lang-1') ?? {};
      expect(metadata).toMatchObject({ active_task: true, queue_depth: 1 });
    }, SOON);
    const closed = first.node.close();

    const refused = await problemOf(await post('leaving', { text: 'b' }));
    asleep.resolve('done');

    expect(refused).toMatchObject({ status: 502, code: 'upstream_error' });
    expect((await slow).answer.outputs.text).toBe('done');
    await closed;
    await active('leaving', 'pfc');
  });

  it('is given to another PFC where the first is killed on the way', async () => {
    const begun = Promise.withResolvers<void>();
    let isFirst = true;
    const answer = (text: string) => {
      begun.resolve();
      if (!isFirst) return text;
      isFirst = false;
      return new Promise<string>(() => {});
    };
    const first = await startPfc('heads', 'pfc-1');
    await startText('heads', 'lang-1', { answer });
    await active('heads', 'lang-1', 'pfc-1');
    const asked = ask('heads', { text: 'x' });
    await begun.promise;
    // Comes once the first has the prompt, so that it is the first that is asked first.
    await startPfc('heads', 'pfc-2');
    await active('heads', 'lang-1', 'pfc-1', 'pfc-2');

    first.kill();

    expect((await asked).route.pfc.node_id).toMatch('pfc-2');
  });

  it('stays in the preferred region, and goes to another where that has no node', async () => {
    await startPfcNode({
      place: place('pfc', 'pfc'),
      namespace: 'regions',
      connect: async (region) => (await open('regions', 'pfc', region)).line,
      reach: ['oregon'],
      makeId,
      onError: () => {},
      settleMs: 0,
    });
    await startText('regions', 'near', { region: 'tokyo' });
    await startText('regions', 'far', { region: 'oregon' });
    await startText('regions', 'eye', { region: 'oregon', type: 'visual' });
    await active('regions', 'pfc', 'near', 'far', 'eye');

    const near = await ask('regions', { text: 'a' });
    const far = await ask('regions', { text: 'a', region_priority: ['oregon', 'tokyo'] });
    const seen = await ask('regions', { text: 'a', target: 'visual' });

    expect(near.route).toMatchObject({ node_id: 'near', hops: [{ region_id: 'tokyo' }] });
    expect(near.route.considered).toContainEqual(
      expect.objectContaining({ node_id: 'far', excluded: 'tokyo is preferred' }),
    );
    expect(far.route).toMatchObject({ node_id: 'far', hops: [{ region_id: 'oregon' }] });
    expect(seen.route).toMatchObject({ node_id: 'eye', fallback: false });
  });

  it('is taken across a border by a PFC that finds the regions of its brain', async () => {
    await startText('borders', 'far', { region: 'oregon' });
    await active('borders', 'far');
    const http = openHttp({
      base: edge.gateway.origin,
      headers: { authorization: `Bearer ${key}` },
    });
    const faults: unknown[] = [];
    const pfc = await startPfcNode({
      place: place('pfc', 'pfc'),
      namespace: 'borders',
      connect: async (region) => (await open('borders', 'pfc', region)).line,
      reach: findRegions(http, 'borders'),
      onError: (error) => void faults.push(error),
      makeId,
      settleMs: 0,
    });
    endings.unshift(() => pfc.close());
    await active('borders', 'far', 'pfc');

    const { route } = await ask('borders', { text: 'a' });
    const fallen = await ask('borders', { text: 'a', target: 'visual' });

    expect(faults).toEqual([]);
    expect(route).toMatchObject({
      pfc: { region_id: 'tokyo' },
      node_id: 'far',
      hops: [{ region_id: 'oregon', topic: 'node/far/prompt' }],
    });
    expect(fallen.route).toMatchObject({ node_id: 'far', fallback: true });
  });

  it('is refused with the whole story where nobody answers', async () => {
    await startPfc('alone');
    await active('alone', 'pfc');

    const problem = await problemOf(await post('alone', { text: 'x', timeout_ms: 300 }));

    expect(problem).toMatchObject({ status: 504, code: 'upstream_timeout' });
    expect(problem.detail).toMatch(/pfc\/text_prompt: nobody took it within \d+ ms/);
    const route = BrainRoute.parse(problem['route']);
    expect(route).toMatchObject({ status: 'silent', node_id: null });
  });

  it('is refused as the node refused it, and not tried again, where the prompt is at fault', async () => {
    await startPfc('fault');
    const answer = () => {
      throw new Problem('validation_failed', '"Ω" is no character of the model.');
    };
    await startText('fault', 'lang-1', { answer });
    await active('fault', 'lang-1', 'pfc');

    const problem = await problemOf(await post('fault', { text: 'Ω' }));

    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(problem.detail).toContain('"Ω" is no character');
    expect(BrainRoute.parse(problem['route']).hops).toHaveLength(1);
  });

  it.each([
    [{}, 422, /expected text, image, audio or spikes/],
    [{ text: 'x', target: 'Über' }, 422, /target/],
    [{ text: 'x', region_priority: ['No!'] }, 422, /region_priority/],
  ])('is refused where it is %j', async (prompt, status, detail) => {
    const problem = await problemOf(await post('none', prompt));

    expect(problem.status).toBe(status);
    expect(problem.detail).toMatch(detail);
  });

  it('is refused where a brain has no PFC', async () => {
    const problem = await problemOf(await post('none', { text: 'x' }));

    expect(problem).toMatchObject({ status: 503, code: 'no_healthy_instance' });
    expect(problem.detail).toContain('No PFC of the brain none is active');
  });
});

describe('the routes of a brain', () => {
  it('are told by PFCs of their own prompts only', async () => {
    await startPfc('told');
    await startText('told', 'lang-1');
    await active('told', 'lang-1', 'pfc');
    const { route } = await ask('told', { text: 'x' });
    const { line } = await open('told', 'liar');
    for (const topic of ['pfc/routes/liar', 'pfc/routes/pfc']) {
      await line.publish(topic, JSON.stringify(route), { qos: 1 });
      await line.publish(topic, '{', { qos: 1 });
    }

    const answer = await get('/api/brain/routes?namespace=told');

    expect(RouteList.parse(await answer.json())).toEqual({ routes: [route], total: 1 });
  });
});
