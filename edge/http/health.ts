import type { Health, HealthCheck, HealthStatus } from '../contract/health.ts';
import { healthEndpoints } from '../contract/health-endpoints.ts';
import type { Call } from './call.ts';
import { type Route, routesOf } from './route.ts';
import { startTime } from './start-time.ts';
import { VERSION } from './version.ts';

/** One thing a service needs, undefined where it has none; a check that throws makes it unavailable. */
export type Check<E> = (call: Call<E>) => Promise<HealthCheck | undefined>;

const WORST_FIRST: readonly HealthStatus[] = ['unavailable', 'degraded', 'ok'];

/** `/health` and `/health/ready` look at what the service needs; `/health/live` says that it runs. */
export function healthRoutes<E>(
  service: string,
  checks: Readonly<Record<string, Check<E>>>,
): readonly Route<E>[] {
  const answer = (call: Call<E>) => answerHealth(service, checks, call);
  return routesOf<E, typeof healthEndpoints>(healthEndpoints, {
    health: answer,
    ready: answer,
    live: () => healthResponse(service, {}),
  });
}

/** How a service is, by what it needs. */
export async function answerHealth<E>(
  service: string,
  checks: Readonly<Record<string, Check<E>>>,
  call: Call<E>,
): Promise<Response> {
  return healthResponse(service, await runAll(checks, call));
}

async function runAll<E>(
  checks: Readonly<Record<string, Check<E>>>,
  call: Call<E>,
): Promise<Record<string, HealthCheck>> {
  const run = async ([name, check]: [string, Check<E>]) =>
    [name, await check(call).catch(failed)] as const;
  const found = await Promise.all(Object.entries(checks).map(run));
  return Object.fromEntries(found.flatMap(([name, check]) => (check ? [[name, check]] : [])));
}

function healthResponse(service: string, checks: Record<string, HealthCheck>): Response {
  const found = Object.values(checks).map(({ status }) => status);
  const status = WORST_FIRST.find((candidate) => found.includes(candidate)) ?? 'ok';
  const health: Health = {
    status,
    service,
    version: VERSION,
    uptime_s: (Date.now() - startTime()) / 1000,
    checks,
    timestamp: new Date().toISOString(),
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
