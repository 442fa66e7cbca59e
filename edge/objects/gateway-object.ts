import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import { GATEWAY_MIGRATIONS } from './gateway-schema.ts';
import { migrate } from './migrate.ts';

/** The services that were registered, and how each of their instances is. */
export class Gateway extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, GATEWAY_MIGRATIONS);
  }
}
