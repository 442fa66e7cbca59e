import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../edge/contract/scope.ts';
import { codeIn } from './answer-log.ts';
import { sha256 } from './harness.ts';
import { type GuardedEdge, startGuardedEdge } from './keys-in-hand.ts';
import type { Described } from './openapi-schemas.ts';
import { all, operationOf, operations } from './property-operations.ts';
import { exampleOf } from './property-requests.ts';
import { createWorld, type World } from './property-world.ts';
import { bearer } from './upgrade.ts';

/**
 * Every route of the API description that names something in its path, asked by the owner's key, by
 * another key of his team, and by a team of others: made from the same tables as the routes.
 */
const naming = all.filter(
  ([, { path, operation }]) => path.includes('{') && operation.security.length > 0,
);

/** What the platform has, not a team: who holds the scope may. */
const OF_PLATFORM =
  /^\/(?:services|problems|test|plugin-host|monitoring\/(?:metrics|alerts)|api\/(?:keys|geo))\//;
const ofTeam = naming.filter(([, { path }]) => !OF_PLATFORM.test(path));

/** Everything that a key can be given but administration: only whose things they are tells callers apart. */
const ALL = Scope.options.filter((scope) => !['admin', 'test:run', 'team:admin'].includes(scope));

let edge: GuardedEdge;
let world: World;
let keys: Record<'anna' | 'mate' | 'lead' | 'stranger', string>;

beforeAll(async () => {
  const limits = { RATE_LIMIT_PER_S: 1e6, RATE_LIMIT_BURST: 1e6, FAILED_AUTH_PER_MIN: 1e6 };
  edge = await startGuardedEdge({ vars: { ...limits, TARGET_ALLOWLIST: ['127.0.0.1'] } });
  const made = async (team: string, scopes: readonly Scope[]) =>
    (await edge.keyFor(scopes, { team })).key;
  keys = {
    anna: await made('vision', ALL),
    mate: await made('vision', ALL),
    lead: await made('vision', [...ALL, 'team:admin']),
    stranger: await made('audio', [...ALL, 'team:admin']),
  };
  await putText('moby-dick');
  world = createWorld(edge.gateway, operations, bearer(keys.anna));
  await world.makeAnew();
});
afterAll(() => edge[Symbol.asyncDispose]());

/** A data set by the name that the examples use; it is no record that an example makes. */
async function putText(name: string): Promise<void> {
  const bytes = new TextEncoder().encode('Call me Ishmael. '.repeat(100));
  const digest = sha256(bytes);
  const put = (path: string, body: BodyInit, type: string) =>
    fetch(new URL(`/training${path}`, edge.gateway), {
      method: 'PUT',
      headers: { ...bearer(keys.anna), 'content-type': type },
      body,
    });
  await put(`/parts/${digest}`, bytes, 'application/octet-stream');
  const whole = { digest, size_bytes: bytes.length };
  const commit = JSON.stringify({ ...whole, parts: [whole] });
  const answer = await put(`/datasets/${name}`, commit, 'application/json');
  expect(answer.status).toBe(201);
}

async function ask(described: Described, who: keyof typeof keys) {
  const { path, headers, ...init } = world.translate(exampleOf(described));
  const answer = await fetch(new URL(path, edge.gateway), {
    ...init,
    headers: { ...headers, ...bearer(keys[who]) },
    signal: AbortSignal.timeout(5_000),
  });
  const text = answer.headers.get('content-type')?.includes('event-stream')
    ? await answer.body?.cancel().then(() => '')
    : await answer.text();
  return { path, status: answer.status, code: codeIn(text ?? ''), text: text ?? '' };
}

describe('what another team names', () => {
  it.each(ofTeam)('%s: is not there', async (_, described) => {
    const a = await ask(described,'anna').catch(String); const { path, status, code } = await ask(described, 'stranger'); 
    console.log(described.method, path, 'anna', (a as any).status, (a as any).code, 'stranger', status, code);
    expect([401, 403, 404, 409]).toContain(status);
  });
});
