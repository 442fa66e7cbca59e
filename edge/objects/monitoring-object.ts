import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import { MONITORING_MIGRATIONS } from './monitoring-schema.ts';
import { migrate } from './migrate.ts';

/** What the services measure, over time: raw for an hour, then in ever longer steps. */
export class Monitoring extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, MONITORING_MIGRATIONS);
  }
}
