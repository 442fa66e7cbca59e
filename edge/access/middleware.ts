import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import type { Idempotency } from '../idempotency/object.ts';
import { type IdempotencyRecords, idempotencyOwner } from '../http/idempotency.ts';
import type { Middleware } from '../http/service.ts';
import type { Reporting } from '../http/telemetry.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { guard } from './identify.ts';
import { countRequest } from './limits.ts';
import { allowedOrigins } from './origin.ts';

/** The common request handling of every service of this Worker. */
export const middleware: Middleware<Env> = {
  guard,
  count: countRequest,
  allowedOrigins,
  idempotencyOf,
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
function idempotencyOf(env: Env, caller: Caller): IdempotencyRecords {
  return env.IDEMPOTENCY.getByName<Idempotency>(idempotencyOwner(caller));
}

function reportingOf(env: Env): Reporting {
  return { sink: () => monitoringOf(env), everyMs: env.METRICS_FLUSH_MS };
}
