import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { type Repeats, repeaterOf } from '../http/idempotency.ts';
import type { Entrance } from '../http/service.ts';
import type { Reporting } from '../http/telemetry.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { guard } from './identify.ts';
import { countRequest } from './limits.ts';
import { allowedOrigins } from './origin.ts';

/** The common request handling of every service of this Worker. */
export const entrance: Entrance<Env> = {
  guard,
  count: countRequest,
  allowedOrigins,
  repeatsOf,
  paceOf: ({ BODY_STALL_MS, BODY_BYTES_PER_S }) => ({
    stallMs: BODY_STALL_MS,
    bytesPerS: BODY_BYTES_PER_S,
  }),
  spaceOf:
    ({ DISK_SPACE }) =>
    async () =>
      DISK_SPACE && Number(await (await DISK_SPACE.fetch('http://disk.internal/')).text()),
  reportingOf,
};

/** One object per caller: nobody can see or use the idempotency keys of another. */
function repeatsOf(env: Env, caller: Caller): Repeats {
  return env.IDEMPOTENCY.getByName(repeaterOf(caller)) as unknown as Repeats;
}

function reportingOf(env: Env): Reporting {
  return { sink: () => monitoringOf(env), everyMs: env.METRICS_FLUSH_MS };
}
