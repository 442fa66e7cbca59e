import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import { ALERTS_MIGRATIONS } from './alerts-schema.ts';
import { migrate } from './migrate.ts';

/** Alert rules, the alerts they raise, silences, and the receivers that are told. */
export class Alerts extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, ALERTS_MIGRATIONS);
  }
}
