import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findRegions } from '../../brain/pfc-regions.ts';
import { BrainRoute } from '../../edge/brain/contract/reply.ts';
import { RouteList } from '../../edge/brain/endpoints.ts';
import { UiExport } from '../../edge/discovery/contract/node.ts';
import { openHttp } from '../../edge/contract/client.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { type BrainWorld, SOON, startBrainWorld } from './brain-world.ts';
import { problemOf } from './harness.ts';

let world: BrainWorld;
beforeAll(async () => {
  world = await startBrainWorld();
});
afterEach(() => world.reset());
afterAll(() => world.end());

describe('a prompt to a brain', () => {
  it('is answered by the right module, and the route says why', async () => {
    await world.startPfc('right');
    await world.startText('right', 'lang-1');
    await world.startText('right', 'eye-1', { type: 'visual' });
    await world.active('right', 'lang-1', 'eye-1', 'pfc');

    const { answer, route } = await world.ask('right', { text: 'hello' });
    const seen = await world.ask('right', { text: 'look', image: 'aGVsbG8=' });

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
      await (await world.get('/api/brain/routes?namespace=right&limit=1')).json(),
    );
    expect(total).toBe(2);
    expect(routes).toEqual([seen.route]);
  });

  it('goes the way of lang-main where no node of its module is active', async () => {
    await world.startPfc('fallback');
    await world.startText('fallback', 'lang-1');
    await world.active('fallback', 'lang-1', 'pfc');

    const { answer, route } = await world.ask('fallback', { text: 'look', target: 'visual' });

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
    await world.startText('blind', 'lang-1');
    await world.startText('blind', 'eye-1', { type: 'visual' });
    const blind = await world.edge.keyFor(['infer']);
    const { faults } = await world.startPfc('blind', 'pfc', { its: blind.key });
    await world.active('blind', 'lang-1', 'eye-1', 'pfc');

    const { route } = await world.ask('blind', { text: 'look', target: 'visual' });

    expect(String(faults)).toMatch(/not authorized/i);
    expect(route).toMatchObject({ node_id: 'lang-1', fallback: true });
    expect(route.reason).toContain('discovery is unavailable');
  });

  it('is answered by another node where the first is killed on the way', async () => {
    await world.startPfc('killed');
    const nodes = new Map<string, () => void>();
    const begun = Promise.withResolvers<string>();
    for (const id of ['lang-1', 'lang-2']) {
      const answer = (text: string) => {
        begun.resolve(id);
        return text === 'slow' && nodes.has(id) ? new Promise<string>(() => {}) : `${id}: ${text}`;
      };
      nodes.set(id, (await world.startText('killed', id, { answer })).kill);
    }
    await world.active('killed', 'lang-1', 'lang-2', 'pfc');
    const asked = world.ask('killed', { text: 'slow' });
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
    await world.startPfc('leaving');
    const asleep = Promise.withResolvers<string>();
    const first = await world.startText('leaving', 'lang-1', { answer: () => asleep.promise });
    await world.active('leaving', 'lang-1', 'pfc');
    const slow = world.ask('leaving', { text: 'a' });
    await vi.waitFor(async () => {
      const answer = await world.get('/api/node-discovery/health?namespace=leaving');
      const { nodes } = UiExport.parse(await answer.json());
      const { metadata } = nodes.find(({ node_id: id }) => id === 'lang-1') ?? {};
      expect(metadata).toMatchObject({ active_task: true, queue_depth: 1 });
    }, SOON);
    const closed = first.node.close();

    const refused = await problemOf(await world.post('leaving', { text: 'b' }));
    asleep.resolve('done');

    expect(refused).toMatchObject({ status: 502, code: 'upstream_error' });
    expect((await slow).answer.outputs.text).toBe('done');
    await closed;
    await world.active('leaving', 'pfc');
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
    const first = await world.startPfc('heads', 'pfc-1');
    await world.startText('heads', 'lang-1', { answer });
    await world.active('heads', 'lang-1', 'pfc-1');
    const asked = world.ask('heads', { text: 'x' });
    await begun.promise;
    // Comes once the first has the prompt, so that it is the first that is asked first.
    await world.startPfc('heads', 'pfc-2');
    await world.active('heads', 'lang-1', 'pfc-1', 'pfc-2');

    first.kill();

    expect((await asked).route.pfc.node_id).toMatch('pfc-2');
  });

  it('stays in the preferred region, and goes to another where that has no node', async () => {
    await world.startPfc('regions', 'pfc', { reach: ['oregon'] });
    await world.startText('regions', 'near', { region: 'tokyo' });
    await world.startText('regions', 'far', { region: 'oregon' });
    await world.startText('regions', 'eye', { region: 'oregon', type: 'visual' });
    await world.active('regions', 'pfc', 'near', 'far', 'eye');

    const near = await world.ask('regions', { text: 'a' });
    const far = await world.ask('regions', { text: 'a', region_priority: ['oregon', 'tokyo'] });
    const seen = await world.ask('regions', { text: 'a', target: 'visual' });

    expect(near.route).toMatchObject({ node_id: 'near', hops: [{ region_id: 'tokyo' }] });
    expect(near.route.considered).toContainEqual(
      expect.objectContaining({ node_id: 'far', excluded: 'tokyo is preferred' }),
    );
    expect(far.route).toMatchObject({ node_id: 'far', hops: [{ region_id: 'oregon' }] });
    expect(seen.route).toMatchObject({ node_id: 'eye', fallback: false });
  });

  it('is taken across a border by a PFC that finds the regions of its brain', async () => {
    await world.startText('borders', 'far', { region: 'oregon' });
    await world.active('borders', 'far');
    const headers = { authorization: `Bearer ${world.key}` };
    const http = openHttp({ base: world.edge.gateway.origin, headers });
    const reach = findRegions(http, 'borders');
    const { node, faults } = await world.startPfc('borders', 'pfc', { reach });
    await world.active('borders', 'far', 'pfc');

    const { route } = await world.ask('borders', { text: 'a' });
    const fallen = await world.ask('borders', { text: 'a', target: 'visual' });

    expect(faults).toEqual([]);
    expect(route).toMatchObject({
      pfc: { region_id: 'tokyo' },
      node_id: 'far',
      hops: [{ region_id: 'oregon', topic: 'node/far/prompt' }],
    });
    expect(fallen.route).toMatchObject({ node_id: 'far', fallback: true });
    await node.close();
  });

  it('is refused with the whole story where nobody answers', async () => {
    await world.startPfc('alone');
    await world.active('alone', 'pfc');

    const problem = await problemOf(await world.post('alone', { text: 'x', timeout_ms: 300 }));

    expect(problem).toMatchObject({ status: 504, code: 'upstream_timeout' });
    expect(problem.detail).toMatch(/pfc\/text_prompt: nobody took it within \d+ ms/);
    const route = BrainRoute.parse(problem['route']);
    expect(route).toMatchObject({ status: 'silent', node_id: null });
  });

  it('is refused as the node refused it, and not tried again, where the prompt is at fault', async () => {
    await world.startPfc('fault');
    const answer = () => {
      throw new Problem('validation_failed', '"Ω" is no character of the model.');
    };
    await world.startText('fault', 'lang-1', { answer });
    await world.active('fault', 'lang-1', 'pfc');

    const problem = await problemOf(await world.post('fault', { text: 'Ω' }));

    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(problem.detail).toContain('"Ω" is no character');
    expect(BrainRoute.parse(problem['route']).hops).toHaveLength(1);
  });

  it.each([
    [{}, 422, /expected text, image, audio or spikes/],
    [{ text: 'x', target: 'Über' }, 422, /target/],
    [{ text: 'x', region_priority: ['No!'] }, 422, /region_priority/],
  ])('is refused where it is %j', async (prompt, status, detail) => {
    const problem = await problemOf(await world.post('none', prompt));

    expect(problem.status).toBe(status);
    expect(problem.detail).toMatch(detail);
  });

  it('is refused where a brain has no PFC', async () => {
    const problem = await problemOf(await world.post('none', { text: 'x' }));

    expect(problem).toMatchObject({ status: 503, code: 'no_healthy_instance' });
    expect(problem.detail).toContain('No PFC of the brain none is active');
  });
});

describe('the routes of a brain', () => {
  it('are reported by PFCs for their own prompts only', async () => {
    await world.startPfc('told');
    await world.startText('told', 'lang-1');
    await world.active('told', 'lang-1', 'pfc');
    const { route } = await world.ask('told', { text: 'x' });
    const { line } = await world.open('told', 'liar');
    for (const topic of ['pfc/routes/liar', 'pfc/routes/pfc']) {
      await line.publish(topic, JSON.stringify(route), { qos: 1 });
      await line.publish(topic, '{', { qos: 1 });
    }

    const answer = await world.get('/api/brain/routes?namespace=told');

    expect(RouteList.parse(await answer.json())).toEqual({ routes: [route], total: 1 });
  });
});
