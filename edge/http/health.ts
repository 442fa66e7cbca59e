import type { Health, HealthCheck, HealthStatus } from '../health/contract/health.ts';
import { healthEndpoints } from '../health/endpoints.ts';
import type { Call } from './call.ts';
import { type Route, routesOf } from './route.ts';
import { startTime } from './start-time.ts';
import { VERSION } from './version.ts';

/** One thing a service needs, undefined where it has none; a check that throws makes it unavailable. */
export type Check<E> = (call: Call<E>) => Promise<HealthCheck | undefined>;

/** How long a result is reused: the endpoint is public. */
const FRESH_MS = 1_000;
/** Age beyond which a result is not reused while a check runs. */
const OLDEST_MS = 5_000;
/** Time limit of a check: its request may have been aborted. */
const PATIENCE_MS = 2_000;
const POLL_MS = 10;

type Checks<E> = Readonly<Record<string, Check<E>>>;

interface Found {
  readonly checks: Record<string, HealthCheck>;
  readonly at: number;
}

/** Latest result, as plain data: at the edge no request may await a promise of another. */
interface Memory {
  found?: Found;
  lookingSince?: number | undefined;
}

const memories = new WeakMap<object, WeakMap<object, Memory>>();

const WORST_FIRST: readonly HealthStatus[] = ['unavailable', 'degraded', 'ok'];

/** `/health` and `/health/ready` look at what the service needs; `/health/live` says that it runs. */
export function healthRoutes<E>(service: string, checks: Checks<E>): readonly Route<E>[] {
  const answer = (call: Call<E>) => answerHealth(service, checks, call);
  return routesOf<E, typeof healthEndpoints>(healthEndpoints, {
    health: answer,
    ready: answer,
    live: () => healthResponse(service, { checks: {}, at: Date.now() }),
  });
}

/** How a service is, by what it needs: looked at once a second, however many ask. */
export async function answerHealth<E>(
  service: string,
  checks: Checks<E>,
  call: Call<E>,
): Promise<Response> {
  return healthResponse(service, await remembered(checks, call));
}

async function remembered<E>(checks: Checks<E>, call: Call<E>): Promise<Found> {
  const memory = memoryOf(checks, call.env);
  for (;;) {
    const now = Date.now();
    const { found, lookingSince = -Infinity } = memory;
    const age = now - (found?.at ?? -Infinity);
    if (found && age < FRESH_MS) return found;
    if (now - lookingSince > PATIENCE_MS) return look(memory, checks, call);
    if (found && age < OLDEST_MS) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function look<E>(memory: Memory, checks: Checks<E>, call: Call<E>): Promise<Found> {
  const at = Date.now();
  memory.lookingSince = at;
  const looked = runAll(checks, call).then((results) => {
    const found = { checks: results, at };
    memory.found = found;
    memory.lookingSince = undefined;
    return found;
  });
  call.ctx.waitUntil(looked);
  return looked;
}

/** One for each service; several servers of one service in a process of Node have one each. */
function memoryOf(checks: object, env: unknown): Memory {
  const owner = typeof env === 'object' && env !== null ? env : checks;
  const ofChecks = memories.get(checks) ?? new WeakMap<object, Memory>();
  const memory = ofChecks.get(owner) ?? {};
  memories.set(checks, ofChecks.set(owner, memory));
  return memory;
}

async function runAll<E>(checks: Checks<E>, call: Call<E>): Promise<Record<string, HealthCheck>> {
  const run = async ([name, check]: [string, Check<E>]) =>
    [name, await check(call).catch(failed)] as const;
  const found = await Promise.all(Object.entries(checks).map(run));
  return Object.fromEntries(found.flatMap(([name, check]) => (check ? [[name, check]] : [])));
}

function healthResponse(service: string, { checks, at }: Found): Response {
  const found = Object.values(checks).map(({ status }) => status);
  const status = WORST_FIRST.find((candidate) => found.includes(candidate)) ?? 'ok';
  const health: Health = {
    status,
    service,
    version: VERSION,
    uptime_s: (Date.now() - startTime()) / 1000,
    checks,
    timestamp: new Date(at).toISOString(),
  };
  return Response.json(health, {
    status: status === 'unavailable' ? 503 : 200,
  });
}

function failed(error: unknown): HealthCheck {
  return {
    status: 'unavailable',
    detail: error instanceof Error ? error.message : String(error),
  };
}
