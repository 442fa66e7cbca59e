import { type BrainAnswered, brainEndpoints, MAX_ROUTES } from '../contract/brain-endpoints.ts';
import { TAKE_MS } from '../contract/brain/pfc.ts';
import type { BrainPrompt } from '../contract/brain/prompt.ts';
import type { FinalReply, Outcome } from '../contract/brain/requester.ts';
import { chooseRoute } from '../contract/brain/routing.ts';
import type { NodeInfo } from '../contract/discovery/node.ts';
import type { ProblemCode } from '../contract/problem.ts';
import { nodesOf, routesIn, shardObject } from '../discovery/discovery-stub.ts';
import type { Env } from '../env.ts';
import { regionTable } from '../geo/region-table.ts';
import { placeRequest } from '../geo/serving-region.ts';
import { Problem } from '../http/problem.ts';
import { routesOf } from '../http/route.ts';
import type { Routing } from '../objects/geo-results.ts';

/** A PFC gets so much longer than its prompt, to say that nobody answered. */
const GRACE_MS = 1_000;
const TRIES = 2;

/** Prompts to a brain over HTTP. A PFC routes them; the gateway only finds one. */
export const brainRoutes = routesOf<Env, typeof brainEndpoints>(brainEndpoints, {
  askBrain: async (call) => {
    const { env, query, body } = call;
    const table = await regionTable(call);
    const nodes = async () => placed(await nodesOf(env, query.namespace), table);
    const prompt = withPriority(body, await nodes(), table?.active);
    return { status: 200, body: await ask(env, { ...query, nodes }, prompt) };
  },
  listRoutes: async ({ env, query: { namespace, limit } }) => {
    const all = await routesIn(env, namespace);
    const routes = all.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MAX_ROUTES);
    return { status: 200, body: { routes: routes.slice(0, limit), total: routes.length } };
  },
});

/** Nodes of regions that are offline or drain are left out, while there are others. */
function placed(nodes: readonly NodeInfo[], table: Routing | undefined): readonly NodeInfo[] {
  if (!table || table.nodes === 0) return nodes;
  const active = nodes.filter(({ status }) => status === 'active');
  return placeRequest(active, null, table).instances;
}

/** The active region comes first where nodes of this brain are in it, unless the prompt says otherwise. */
function withPriority(
  prompt: BrainPrompt,
  nodes: readonly NodeInfo[],
  active: string | null | undefined,
): BrainPrompt {
  const isThere = nodes.some(({ region_id: id, status }) => id === active && status === 'active');
  if (prompt.region_priority || !active || !isThere) return prompt;
  return { ...prompt, region_priority: [active] };
}

interface Brain {
  readonly namespace: string;
  /** Looks who is there: somebody may have come while another node was asked. */
  nodes(): Promise<readonly NodeInfo[]>;
}

async function ask(
  env: Env,
  { namespace, nodes }: Brain,
  prompt: BrainPrompt,
): Promise<BrainAnswered> {
  const began = Date.now();
  const tried = new Set<string>();
  const faults: string[] = [];
  while (tried.size < TRIES) {
    const pfc = pfcAmong(await nodes(), prompt, tried);
    if (!pfc) break;
    tried.add(pfc.node_id);
    const outcome = await askOne(env, { namespace, pfc }, prompt);
    if (outcome.status === 'replied') return answered(outcome.reply, began);
    faults.push(`${pfc.node_id}: ${outcome.detail}`);
  }
  if (faults.length === 0) {
    const detail = `No PFC of the brain ${namespace} is active: expected a node of the type pfc.`;
    throw new Problem('no_healthy_instance', detail);
  }
  throw new Problem('upstream_timeout', `No PFC answered (${faults.join('; ')}).`);
}

function pfcAmong(
  nodes: readonly NodeInfo[],
  { region_priority: regionPriority }: BrainPrompt,
  tried: ReadonlySet<string>,
): NodeInfo | undefined {
  return chooseRoute(nodes, 'pfc', { tried, ...(regionPriority && { regionPriority }) }).node;
}

function askOne(
  env: Env,
  { namespace, pfc }: { readonly namespace: string; readonly pfc: NodeInfo },
  prompt: BrainPrompt,
): Promise<Outcome> {
  const shard = shardObject(env, { namespace, region: pfc.region_id });
  return shard.ask({
    nodeId: pfc.node_id,
    prompt: JSON.stringify(prompt),
    takeMs: TAKE_MS,
    answerMs: prompt.timeout_ms + GRACE_MS,
  });
}

/** Refusals of nodes that mean the same here; of others it is told that a node refused. */
const HANDED_ON: readonly ProblemCode[] = ['validation_failed', 'overloaded', 'upstream_timeout'];

function answered(reply: FinalReply, began: number): BrainAnswered {
  const { route } = reply;
  if (!route) throw new Problem('upstream_error', 'What answered is no PFC: expected a route.');
  if (reply.kind === 'answer') {
    const gatewayMs = Math.max(0, Date.now() - began - route.total_ms);
    return { answer: reply.answer, route, gateway_ms: gatewayMs };
  }
  const { code, detail } = reply.refusal;
  const known = HANDED_ON.find((one) => one === code) ?? 'upstream_error';
  throw new Problem(known, detail, { members: { route } });
}
