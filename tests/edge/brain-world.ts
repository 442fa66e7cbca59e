import { connectAsync } from 'mqtt';
import { expect, vi } from 'vitest';
import { answeringWith, startBrainNode } from '../../brain/brain-node.ts';
import { startPfcNode } from '../../brain/pfc-node.ts';
import type { Reach } from '../../brain/pfc-regions.ts';
import type { BrainPromptInput } from '../../edge/brain/contract/prompt.ts';
import { BrainAnswered } from '../../edge/brain/endpoints.ts';
import { mqttLine } from '../../edge/discovery/contract/message-line.ts';
import { UiExport } from '../../edge/discovery/contract/node.ts';
import { brokerUrl, nodeOptions } from '../../edge/discovery/contract/node-connection.ts';
import { send, startGuardedEdge } from './keys-in-hand.ts';

export const SOON = { timeout: 10_000, interval: 50 };

const place = (nodeId: string, moduleType: string, regionId = 'tokyo') => ({
  nodeId,
  moduleType,
  regionId,
  host: 'here',
});

type Answer = (text: string) => string | Promise<string>;

interface TextNode {
  readonly type?: string;
  readonly region?: string;
  readonly answer?: Answer;
}

interface PfcOptions {
  /** The key it connects with. */
  readonly its?: string;
  readonly reach?: Reach;
}

export type BrainWorld = Awaited<ReturnType<typeof startBrainWorld>>;

/** An edge that asks for keys, and brains of nodes in this process, each in a namespace of its own. */
export async function startBrainWorld() {
  const edge = await startGuardedEdge();
  const { key } = await edge.keyFor(['infer', 'discovery:read']);
  const endings: (() => Promise<unknown>)[] = [];
  let made = 0;

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

  /** A node that makes another text of a text. */
  async function startText(
    namespace: string,
    nodeId: string,
    {
      type = 'lang-main',
      region = 'tokyo',
      answer = (text) => `${nodeId}: ${text}`,
    }: TextNode = {},
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

  /** It is started before the others, so it receives their announcements. */
  async function startPfc(
    namespace: string,
    nodeId = 'pfc',
    { its = key, reach = [] }: PfcOptions = {},
  ) {
    const own = await open(namespace, nodeId, 'tokyo', its);
    const faults: unknown[] = [];
    const node = await startPfcNode({
      place: place(nodeId, 'pfc'),
      namespace,
      connect: async (region) =>
        region === 'tokyo' ? own.line : (await open(namespace, nodeId, region, its)).line,
      reach,
      makeId: () => `route_${made++}`,
      onError: (error) => void faults.push(error),
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

  return {
    ...{ edge, key, open, startText, startPfc, get, active, post, ask },
    /** Ends the lines of a test. */
    async reset() {
      await Promise.all(endings.splice(0).map((end) => end()));
    },
    end: () => edge[Symbol.asyncDispose](),
  };
}
