import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { geoOf } from './geo-stub.ts';

/** The epoch that a caller acts under: that of its last heartbeat, or of the active region it read. */
const EPOCH_HEADER = 'x-spikegrid-epoch';

/**
 * Refuses what a caller decided under an epoch that has passed: a region that was replaced while it
 * was cut off learns it with its first request. Who says no epoch is not asked for one.
 *
 * @throws Problem stale_epoch, or invalid_parameter for what is no epoch
 */
export async function refuseStaleEpoch(headers: Headers, env: Env): Promise<void> {
  const said = headers.get(EPOCH_HEADER);
  if (said === null) return;
  if (!/^\d{1,15}$/.test(said)) {
    throw new Problem('invalid_parameter', `${EPOCH_HEADER}: expected a number (got "${said}").`);
  }
  // The object itself is asked: what an isolate remembers may be older than the switch.
  const { epoch, active } = await geoOf(env).routing();
  if (Number(said) >= epoch) return;
  throw new Problem(
    'stale_epoch',
    `The epoch is ${epoch}, in which ${active} is active, not ${said}.`,
    {
      members: { epoch, active_region: active },
    },
  );
}
