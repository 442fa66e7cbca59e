import { audit } from '../access/audit.ts';
import { memoryEndpoints } from './endpoints.ts';
import { DEFAULT_MEMORY_NAMESPACE } from './contract/memory.ts';
import type { Env } from '../env.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { holderOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { routesOf } from '../http/route.ts';
import { withMemory } from './memory-stub.ts';
import { filtersOf, orchestrate, retrievePage } from './retrieval.ts';
import { termsOf } from './text-index.ts';
import { boundsOf, reportHoldings } from './usage.ts';
import { knownPlace } from './namespaces.ts';
import { storeIn } from './store-memories.ts';
import {
  deleteMemoryNamespace,
  eraseMemories,
  exportMemories,
  type Handled,
  listMemoryNamespaces,
  memoryStats,
  memoryUser,
  type Reply,
} from './maintenance-routes.ts';

/**
 * /v1/memory/… and /api/memory/orchestrate: storing, retrieving, traversing and erasing memories.
 */
export const memoryRoutes = routesOf<Env, typeof memoryEndpoints>(memoryEndpoints, {
  storeMemory,
  storeMemories,
  retrieveMemories,
  listMemories,
  getMemory,
  deleteMemory,
  orchestrateMemory,
  memoryGraph,
  findMemoryNodes,
  memoryPath,
  exportMemories,
  memoryUser,
  eraseMemories,
  deleteMemoryNamespace,
  listMemoryNamespaces,
  memoryStats,
});

async function storeMemory({ body, env, caller }: Handled<'storeMemory'>): Reply<'storeMemory'> {
  const place = { owner: holderOf(caller), namespace: body.namespace };
  const [stored] = await storeIn(env, { ...place, ...boundsOf(caller) }, [body]);
  if (!stored) throw new TypeError('one memory was stored but none was returned');
  return { status: 201, body: stored };
}

async function storeMemories(call: Handled<'storeMemories'>): Reply<'storeMemories'> {
  const { body, env, caller } = call;
  const [{ namespace } = { namespace: DEFAULT_MEMORY_NAMESPACE }] = body.memories;
  const place = { owner: holderOf(caller), namespace };
  const memories = await storeIn(env, { ...place, ...boundsOf(caller) }, body.memories);
  return { status: 201, body: { memories: [...memories] } };
}

async function retrieveMemories(call: Handled<'retrieveMemories'>): Reply<'retrieveMemories'> {
  const place = await knownPlace(call, call.query);
  return { status: 200, body: await retrievePage(call.env, place, call.query) };
}

async function listMemories(call: Handled<'listMemories'>): Reply<'listMemories'> {
  const { query, env } = call;
  const place = await knownPlace(call, query);
  const { cursor, limit, ...filters } = query;
  const range = { limit, before: readCursor(cursor, filters) };
  const page = await withMemory(env, place, (memory) => memory.list(range, filtersOf(filters)));
  const { namespace } = place;
  const memories = page.memories.map((memory) => ({ ...memory, namespace }));
  return { status: 200, body: { memories, total: page.total, ...pageEnd(page.next, filters) } };
}

async function getMemory(call: Handled<'getMemory'>): Reply<'getMemory'> {
  const place = await knownPlace(call, call.query);
  const { memory_id: memoryId } = call.params;
  const found = await withMemory(call.env, place, (memory) => memory.find(memoryId));
  if (!found) throw noMemory(memoryId, place.namespace);
  const { causal_edges: causes, ...record } = found;
  const body = { ...record, namespace: place.namespace, causal_edges: [...causes] };
  return { status: 200, body };
}

async function deleteMemory(call: Handled<'deleteMemory'>): Reply<'deleteMemory'> {
  const place = await knownPlace(call, call.query);
  const { memory_id: memoryId } = call.params;
  const wasThere = await withMemory(call.env, place, (memory) => memory.remove(memoryId));
  if (!wasThere) throw noMemory(memoryId, place.namespace);
  await reportHoldings(call, place);
  await audit(call, { action: 'memory.delete', target: memoryId, detail: { ...place } });
  return { status: 200, body: { status: 'deleted', memory_id: memoryId } };
}

async function orchestrateMemory(call: Handled<'orchestrateMemory'>): Reply<'orchestrateMemory'> {
  const { body, env, trace } = call;
  const place = await knownPlace(call, body);
  const asked = { ...body, requestId: trace.requestId };
  return { status: 200, body: await orchestrate(env, place, asked) };
}

async function memoryGraph(call: Handled<'memoryGraph'>): Reply<'memoryGraph'> {
  const { node: nodes = [], hops, direction, limit, ...rest } = call.query;
  const place = await knownPlace(call, rest);
  const range = { nodes, hops, direction, limit, asOf: filtersOf(rest).asOf };
  return { status: 200, body: await withMemory(call.env, place, (memory) => memory.graph(range)) };
}

async function findMemoryNodes(call: Handled<'findMemoryNodes'>): Reply<'findMemoryNodes'> {
  const { q, limit, ...rest } = call.query;
  const place = await knownPlace(call, rest);
  const range = { terms: termsOf(q), limit, asOf: filtersOf(rest).asOf };
  const nodes = await withMemory(call.env, place, (memory) => memory.nodes(range));
  return { status: 200, body: { nodes: [...nodes] } };
}

async function memoryPath(call: Handled<'memoryPath'>): Reply<'memoryPath'> {
  const { from, to, hops, ...rest } = call.query;
  const place = await knownPlace(call, rest);
  const range = { from, to, hops, asOf: filtersOf(rest).asOf };
  return { status: 200, body: await withMemory(call.env, place, (memory) => memory.path(range)) };
}

const noMemory = (memoryId: string, namespace: string) =>
  new Problem(
    'memory_not_found',
    `There is no memory ${JSON.stringify(memoryId)} in the namespace ${namespace}.`,
  );
