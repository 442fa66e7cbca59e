import { audit } from '../access/audit.ts';
import type { memoryEndpoints } from './endpoints.ts';
import { MemoryNamespace, type WholeMemory } from './contract/memory.ts';
import type { Env } from '../env.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { holderOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { directoryOf, withMemory } from './memory-stub.ts';
import { reportHoldings } from './usage.ts';
import { ownerMeant, ownersListed, type Place } from './owner.ts';
import { knownPlace } from './namespaces.ts';

type Endpoints = typeof memoryEndpoints;
export type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
export type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** The number of memories an export reads at once. */
const EXPORTED_AT_ONCE = 100;
const PLACES_AT_ONCE = 100;

/** The requested namespace, or all of the owner. */
async function placesOf(
  call: Handled<'exportMemories'> | Handled<'eraseMemories'> | Handled<'memoryUser'>,
): Promise<readonly Place[]> {
  const { namespace, owner } = call.query;
  if (namespace !== undefined) return [await knownPlace(call, { namespace, owner })];
  const whose = await ownerMeant(call, owner);
  const places: Place[] = [];
  let before: number | undefined = Number.MAX_SAFE_INTEGER;
  while (before !== undefined) {
    const range = { owner: whose, limit: PLACES_AT_ONCE, before };
    const page = await directoryOf(call.env).list(range);
    places.push(...page.namespaces.map((one) => ({ owner: whose, namespace: one.namespace })));
    before = page.next;
  }
  return places;
}

export async function exportMemories(call: Handled<'exportMemories'>): Promise<Response> {
  const lines = exportedLines(call.env, await placesOf(call), call.query.user_id);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'application/jsonl',
      'content-disposition': 'attachment; filename="memories.jsonl"',
    },
  });
}

/** Lines of JSON, read from the objects on demand. */
async function* exportedLines(
  env: Env,
  places: readonly Place[],
  userId: string | undefined,
): AsyncGenerator<string> {
  for (const place of places) {
    let next: number | undefined = 0;
    while (next !== undefined) {
      const after: number = next;
      const page = await withMemory(env, place, (memory) =>
        memory.exported(userId, after, EXPORTED_AT_ONCE),
      );
      const { namespace } = place;
      const records = page.memories.map((memory) => ({ ...memory, namespace }));
      yield records.map((record) => `${JSON.stringify(record satisfies Line)}\n`).join('');
      next = page.next;
    }
  }
}

type Line = Omit<WholeMemory, 'causal_edges'> & {
  readonly causal_edges: readonly WholeMemory['causal_edges'][number][];
};

export async function memoryUser(call: Handled<'memoryUser'>): Reply<'memoryUser'> {
  const { user_id: userId } = call.params;
  const held: { namespace: string; memories: number }[] = [];
  for (const place of await placesOf(call)) {
    const memories = await withMemory(call.env, place, (memory) => memory.heldOf(userId));
    if (memories > 0) held.push({ namespace: place.namespace, memories });
  }
  const memories = held.reduce((sum, one) => sum + one.memories, 0);
  return { status: 200, body: { user_id: userId, memories, namespaces: held } };
}

export async function eraseMemories(call: Handled<'eraseMemories'>): Reply<'eraseMemories'> {
  const { user_id: userId } = call.params;
  const places = await placesOf(call);
  const namespaces: string[] = [];
  let memories = 0;
  for (const place of places) {
    const erased = await withMemory(call.env, place, (memory) => memory.erase(userId));
    if (erased > 0) {
      namespaces.push(place.namespace);
      await reportHoldings(call, place);
    }
    memories += erased;
  }
  // The name of an erased user is not recorded either.
  const target = call.query.namespace ?? '*';
  await audit(call, { action: 'memory.erase', target, detail: { memories, namespaces } });
  return { status: 200, body: { status: 'erased', user_id: userId, memories, namespaces } };
}

export async function deleteMemoryNamespace(
  call: Handled<'deleteMemoryNamespace'>,
): Reply<'deleteMemoryNamespace'> {
  const { env, params, query } = call;
  const name = MemoryNamespace.safeParse(params.namespace);
  if (!name.success) {
    const detail = `There is no namespace ${JSON.stringify(params.namespace)}.`;
    throw new Problem('namespace_not_found', detail);
  }
  const place = await knownPlace(call, { namespace: name.data, owner: query.owner });
  const memories = await withMemory(env, place, (memory) => memory.drop());
  await directoryOf(env).remove(place);
  await reportHoldings(call, place, 0);
  await audit(call, {
    action: 'memory.drop',
    target: place.namespace,
    detail: { owner: place.owner, memories },
  });
  return { status: 200, body: { status: 'deleted', namespace: place.namespace, memories } };
}

export async function listMemoryNamespaces(
  call: Handled<'listMemoryNamespaces'>,
): Reply<'listMemoryNamespaces'> {
  const { query, env, caller } = call;
  const owner = await ownersListed(call, query.owner);
  const filters = { owner: owner ?? null, caller: holderOf(caller) };
  const before = readCursor(query.cursor, filters);
  const page = await directoryOf(env).list({ owner, limit: query.limit, before });
  return {
    status: 200,
    body: { namespaces: [...page.namespaces], ...pageEnd(page.next, filters) },
  };
}

export async function memoryStats(call: Handled<'memoryStats'>): Reply<'memoryStats'> {
  const place = await knownPlace(call, call.query);
  const held = await withMemory(call.env, place, (memory) => memory.stats());
  const { storageBytes, firstValidAt, lastValidAt, ...counts } = held;
  return {
    status: 200,
    body: {
      ...place,
      ...counts,
      storage_bytes: storageBytes,
      first_valid_at: time(firstValidAt),
      last_valid_at: time(lastValidAt),
    },
  };
}

const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
