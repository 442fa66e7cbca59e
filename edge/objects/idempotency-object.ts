import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';
import { IDEMPOTENCY_MIGRATIONS } from './idempotency-schema.ts';
import { migrate } from './migrate.ts';

/** What requests with an Idempotency-Key answered, for a day. */
export class Idempotency extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, IDEMPOTENCY_MIGRATIONS);
  }
}
