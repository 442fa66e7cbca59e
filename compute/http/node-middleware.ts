import { PACE, type Pace } from '../../edge/http/body-pace.ts';
import type { Guard, RequestProps } from '../../edge/http/call.ts';
import { allows, type Caller } from '../../edge/http/caller.ts';
import { addressGroup } from '../../edge/http/client-address.ts';
import { checkOrigin } from '../../edge/http/origin.ts';
import { createRateLimiter, SPECIAL_LIMITS } from '../../edge/http/rate-limit.ts';
import { badCredentials, missingScope, noCredentials } from '../../edge/http/refusals.ts';
import type { Middleware } from '../../edge/http/service.ts';
import type { Reporting } from '../../edge/http/telemetry.ts';
import type { Verify } from './gateway-keys.ts';
import { createMemoryIdempotency } from './memory-idempotency.ts';

interface NodeMiddlewareOptions {
  /** Whose a key or token is. */
  readonly verify: Verify;
  readonly reporting: Reporting;
  /** How slowly bodies may come. */
  readonly pace?: Pace;
}

const NO_ORIGINS: ReadonlySet<string> = new Set();

/** Middleware for services in Node, equivalent to that of the edge: before and after the route of a request. */
export function createNodeMiddleware<E>({
  verify,
  reporting,
  pace = PACE,
}: NodeMiddlewareOptions): Middleware<E> {
  const limiter = createRateLimiter();
  return {
    guard: createGuard(verify),
    count: ({ ctx, responseHeaders }, caller, limit) => {
      // The gateway has counted those whom it names.
      if (!('id' in caller) || ctx.props.isForwarded) return;
      const headers = limiter.take(`${caller.kind}:${caller.id}`, SPECIAL_LIMITS[limit]);
      for (const [name, value] of Object.entries(headers)) responseHeaders.append(name, value);
    },
    allowedOrigins: () => NO_ORIGINS,
    idempotencyOf: repeatsIn(createMemoryIdempotency()),
    paceOf: () => pace,
    reportingOf: () => reporting,
  };
}

const repeatsIn =
  <E>(repeats: ReturnType<typeof createMemoryIdempotency>): Middleware<E>['idempotencyOf'] =>
  (_env, caller) =>
    repeats(caller);

/** By whom the gateway names, else by the key, else by where the connection comes from. */
function createGuard<E>(verify: Verify): Guard<E> {
  return async ({ request, url, ctx }, access) => {
    if (ctx.props.refusal) throw ctx.props.refusal;
    const caller = await identify(request, ctx.props, verify);
    const isByPlace = caller.kind === 'local' && !ctx.props.isForwarded;
    if (isByPlace) checkOrigin(request, url, NO_ORIGINS);
    if (allows(caller, access)) return caller;
    throw caller.kind === 'anonymous'
      ? noCredentials('This needs an API key, and the request has none.')
      : missingScope(access);
  };
}

async function identify(
  { headers }: Request,
  { caller: passed, isForwarded, address = '' }: RequestProps,
  verify: Verify,
): Promise<Caller> {
  const authorization = headers.get('authorization');
  if (authorization === null || isForwarded) {
    return passed ?? { kind: 'anonymous' };
  }
  const [, token] = /^bearer +([\x21-\x7e]{1,8192})$/i.exec(authorization) ?? [];
  if (token !== undefined) return verify(token, addressGroup(address));
  throw badCredentials('The Authorization header must be "Bearer " and an API key or a token.');
}
