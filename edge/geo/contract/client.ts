import type * as z from 'zod/mini';
import { clientOf, type HttpOptions } from '../../contract/client.ts';
import { geoEndpoints } from '../endpoints.ts';
import type { FailoverEntry, FailoverInput, FailoverPlan } from './failover.ts';

type FailoverRequest = z.input<typeof FailoverInput>;

export type GeoClient = ReturnType<typeof createGeoClient>;

/** Regions, nodes and failover of the gateway at `base`, as the table of endpoints has them. */
export function createGeoClient(options: HttpOptions) {
  const geo = clientOf(geoEndpoints, options);
  return {
    ...geo,
    /** The plan of a failover, without executing it. */
    async planFailover(body: FailoverRequest): Promise<FailoverPlan> {
      const answer = await geo.failover({ query: { dry_run: 'true' }, body });
      if ('plan' in answer) return answer.plan;
      throw new TypeError('a failover was executed where only its plan was asked for');
    },
    async executeFailover(body: FailoverRequest): Promise<FailoverEntry> {
      const answer = await geo.failover({ body });
      if ('event' in answer) return answer.event;
      throw new TypeError('a plan was answered where a failover was asked for');
    },
  };
}
