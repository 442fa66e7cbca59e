import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { askExternal } from '../../compute/brain/ask-external.ts';
import { BrainPrompt } from '../../edge/brain/contract/prompt.ts';
import { BrainRoute } from '../../edge/brain/contract/reply.ts';
import { BrainAnswered, RouteList } from '../../edge/brain/endpoints.ts';
import { UiExport } from '../../edge/discovery/contract/node.ts';
import { trainedClasses, greyPng, pixelsOf } from './class-models.ts';
import { LogList } from '../../edge/logs/contract/log-query.ts';
import {
  eventually,
  type InferencePlatform,
  problemOf,
  startInferencePlatform,
} from './inference-platform.ts';
import { startOwnPlane } from './own-plane.ts';
import { runSpikegrid, type Running, startSpikegrid } from './spikegrid-process.ts';

const nodes = new Map<string, Running>();
let platform: InferencePlatform;
beforeAll(async () => {
  platform = await startInferencePlatform();
  await platform.register('fox');
  await platform.register('halves', '1.0.0', await trainedClasses('spiking_vision'));
  await start('pfc', 'pfc');
  await Promise.all([
    start('lang-main', 'lang-1', '--model', 'fox'),
    start('lang-main', 'lang-2', '--model', 'fox@1.0.0'),
    start('visual', 'eye-1', '--model', 'halves'),
    start('motor', 'hand-1'),
  ]);
});
afterAll(async () => {
  for (const { process } of nodes.values()) process.kill('SIGKILL');
  await platform.end();
});

/** A node as a process of its own, in the place of one that a first try of a test left. */
async function start(type: string, id: string, ...more: readonly string[]): Promise<void> {
  if (nodes.has(id)) await signal(id, 'SIGKILL');
  const flags = ['--type', type, '--id', id, '--gateway', platform.gateway, ...more];
  const node = startSpikegrid(['node', ...flags]);
  nodes.set(id, node);
  await node.until(/ joined /);
}

const STAYING: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT'];

/** Ends a node as `kill -9` does, freezes it or thaws it, or lets it leave. */
async function signal(id: string, name: NodeJS.Signals): Promise<void> {
  const node = nodes.get(id);
  node?.process.kill(name);
  if (!STAYING.includes(name)) await node?.ended;
}

const post = (prompt: object) =>
  fetch(`${platform.gateway}/api/brain/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(prompt),
  });

async function ask(prompt: object): Promise<BrainAnswered> {
  const answer = await post(prompt);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return BrainAnswered.parse(JSON.parse(text));
}

const sure = { text: 'the quick ', config: { max_length: 24, seed: 7 } };

async function health(namespace = 'default'): Promise<ReadonlyMap<string, string>> {
  const answer = await fetch(
    `${platform.gateway}/api/node-discovery/health?namespace=${namespace}`,
  );
  const known = UiExport.parse(await answer.json()).nodes;
  return new Map(known.map(({ node_id: id, status }) => [id, status]));
}

describe('a brain of processes', () => {
  it('answers on the command line, and shows the way', async () => {
    const args = ['the quick ', '--tokens', '24', '--seed', '7', '--gateway', platform.gateway];
    const asked = await runSpikegrid('ask', ...args);
    const { answer } = await ask(sure);

    expect(asked.stdout, asked.stderr).toBe(`the quick ${answer.outputs.text}\n`);
    expect(asked.stderr).toMatch(/lang-main → lang-[12], by pfc in [\d.]+ ms/);
    expect(asked.stderr).toMatch(/1\. answered at node\/lang-[12]\/prompt in local: taken in/);
    expect(answer.model).toMatchObject({ model_id: 'fox', model_version: '1.0.0' });
  });

  it('has each prompt answered by its module', async () => {
    const image = greyPng(6, 6, pixelsOf(1, 5)).toString('base64');
    const [seen, moved] = await Promise.all([
      ask({ image }),
      ask({ spikes: { neurons: 64, times: 10, bits: firing([0, 1, 63]) } }),
    ]);

    expect(seen.answer).toMatchObject({ node_id: 'eye-1', module_type: 'visual' });
    expect(seen.answer.outputs.classes?.[0]?.label).toBe('1');
    expect(moved.answer).toMatchObject({ node_id: 'hand-1', model: null });
    // Neuron n of 64 prefers n 64ths of a turn, and each votes with 2 / (64 * 0.2) of its rate.
    const [x = 0, y = 1] = moved.answer.outputs.command ?? [];
    expect(x).toBeCloseTo((1 + 2 * Math.cos(Math.PI / 32)) * 0.15625, 4);
    expect(y).toBeCloseTo(0, 4);
  });

  it('goes on with another node where one is frozen, within the time of a silence', async () => {
    await signal('lang-1', 'SIGCONT');
    await eventually(async () => expect((await health()).get('lang-1')).toBe('active'));
    await signal('lang-1', 'SIGSTOP');

    // Who is first is open; while those before them are under way, the others go where fewer are.
    const asked = await Promise.all(Array.from({ length: 8 }, () => ask(sure)));

    expect(new Set(asked.map(({ answer }) => answer.node_id))).toEqual(new Set(['lang-2']));
    const delayed = asked.map(({ route }) => route.hops).filter(({ length }) => length > 1);
    expect(delayed).not.toEqual([]);
    for (const hops of delayed) {
      expect(hops.map(({ node_id: id }) => id)).toEqual(['lang-1', 'lang-2']);
      expect(hops[0]?.status).toMatch(/^(silent|left)$/);
    }
    expect(new Set(asked.map(({ answer }) => answer.outputs.text)).size).toBe(1);
  });

  it('routes around a node that was killed, falls back, and says when nobody is left', async () => {
    await Promise.all([signal('lang-1', 'SIGKILL'), signal('eye-1', 'SIGTERM')]);
    await eventually(async () => {
      const known = await health();
      expect([known.get('lang-1'), known.get('eye-1')]).toEqual(['inactive', 'inactive']);
    });
    const { route } = await ask(sure);
    const fallen = await ask({ ...sure, target: 'visual' });
    await signal('lang-2', 'SIGKILL');
    await eventually(async () => expect((await health()).get('lang-2')).toBe('inactive'));
    const refused = await problemOf(await post({ ...sure, timeout_ms: 1000 }));

    expect(route).toMatchObject({ node_id: 'lang-2', fallback: false, hops: [{}] });
    expect(fallen.route).toMatchObject({ node_id: 'lang-2', fallback: true });
    expect(fallen.route.reason).toMatch(/^no visual node is active: it goes to pfc\/text_prompt/);
    expect(refused).toMatchObject({ status: 504, code: 'upstream_timeout' });
    const told = await fetch(`${platform.gateway}/api/brain/routes?limit=3`);
    const { routes } = RouteList.parse(await told.json());
    expect(routes).toEqual([BrainRoute.parse(refused['route']), fallen.route, route]);
    await eventually(async () => {
      const found = await fetch(
        `${platform.gateway}/distributed_brain/logs?module_type=pfc&limit=3`,
      );
      const { logs } = LogList.parse(await found.json());
      expect(logs.map(({ level, data }) => [level, data])).toEqual([
        ['error', routes[0]],
        ['warn', routes[1]],
        ['info', routes[2]],
      ]);
    });
  });
});

/** Ours is any broker of MQTT 5 to who comes by its address alone. */
describe('a brain on a broker that is named', () => {
  const broker = () => `${platform.gateway.replace('http:', 'ws:')}/mqtt/outside/local`;
  const nowhere = 'http://127.0.0.1:9';

  it('joins, answers with a model of a folder, leaves by its will, and needs no gateway', async () => {
    await Promise.all([
      start('pfc', 'pfc-out', '--broker', broker()),
      start('lang-main', 'lang-out', '--broker', broker(), '--model', platform.run),
    ]);
    vi.stubEnv('MQTT_URL', broker());
    const args = ['the quick ', '--tokens', '24', '--seed', '7', '--json', '--gateway', nowhere];
    const asked = await runSpikegrid('ask', ...args);
    vi.unstubAllEnvs();
    const { answer, route } = BrainAnswered.parse(JSON.parse(asked.stdout));
    const listed = await health('outside');
    await signal('lang-out', 'SIGKILL');
    await eventually(async () => {
      expect((await health('outside')).get('lang-out')).toBe('inactive');
    });
    const prompt = BrainPrompt.parse({ ...sure, timeout_ms: 8000 });
    const unanswered = askExternal({ broker: broker(), namespace: 'outside' }, prompt);

    expect(nodes.get('lang-out')?.stdout()).toContain(`lang-out joined ${broker()} with`);
    expect(answer).toMatchObject({ node_id: 'lang-out', model: { model_id: 'run' } });
    expect(answer.outputs.text).toHaveLength(24);
    expect(route.hops).toMatchObject([{ topic: 'node/lang-out/prompt', status: 'answered' }]);
    expect([...listed]).toEqual(
      expect.arrayContaining([
        ['pfc-out', 'active'],
        ['lang-out', 'active'],
      ]),
    );
    await expect(unanswered).rejects.toMatchObject({
      code: 'upstream_timeout',
      extras: { members: { route: { status: 'silent', pfc: { node_id: 'pfc-out' } } } },
    });
  });
});

describe('a node that cannot be', () => {
  it.each([
    [['visual'], /a visual node answers with a model: expected --model <id>/],
    [['lang-main', '--model', 'wolf'], /wolf/],
    [['pfc', '--gateway', 'http://127.0.0.1:9'], /cannot connect to ws:.*127\.0\.0\.1:9\/mqtt/],
  ])('%j says why in one line', async ([type = '', ...more], message) => {
    const flags = ['--type', type, '--gateway', platform.gateway, ...more];
    const { code, stderr } = await runSpikegrid('node', ...flags);

    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('a node whose broker is gone', () => {
  it('still ends when requested to', async () => {
    const own = await startOwnPlane();
    await start('motor', 'alone', '--gateway', own.gateway);
    await own.end();

    await signal('alone', 'SIGTERM');

    await expect(nodes.get('alone')?.ended).resolves.toMatchObject({ code: 0 });
  });
});

/** Spikes of ten steps in which these of 64 neurons fire always, and the others never. */
function firing(neurons: readonly number[]): string {
  const bytes = Buffer.alloc(10 * 8);
  for (const neuron of neurons) {
    for (let time = 0; time < 10; time++) bytes[8 * time + (neuron >> 3)]! |= 1 << (neuron & 7);
  }
  return bytes.toString('base64');
}
