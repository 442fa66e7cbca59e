import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import { ACCESS_MIGRATIONS } from './access-schema.ts';
import { migrate } from './migrate.ts';

/** Keys, sessions and tickets, and the record of what was done with them. */
export class Access extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, ACCESS_MIGRATIONS);
  }
}
