import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { ownProblem } from '../../edge/contract/refusal.ts';
import { sessionEndpoints } from '../../edge/access/session-endpoints.ts';

interface KeyCheck {
  readonly gateway: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the service. */
  readonly name: string;
}

/** A gateway that takes longer is one that may come later: services wait for it. */
const TIME_LIMIT_MS = 3_000;

/** Scopes that the key of each service needs; those of others administer services. */
const SCOPES: Readonly<Record<string, string>> = {
  inference: 'registry:read,metrics:write',
  'lm-training-server': 'train,registry:read,registry:write,metrics:write',
};

/**
 * Refuses a service that has no key where the gateway asks everybody for one: it could do nothing.
 *
 * @throws ProblemError unauthenticated, with the line that makes a key
 */
export async function refuseWithoutKey({ gateway, headers, name }: KeyCheck): Promise<void> {
  if (headers['authorization'] !== undefined) return;
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const session = await callEndpoint(openHttp({ base: gateway }), sessionEndpoints.getSession, {
    signal,
  }).catch(() => undefined);
  if (session?.body.kind !== 'anonymous') return;
  const scopes = SCOPES[name] ?? 'admin';
  throw ownProblem(
    'unauthenticated',
    `${gateway} asks everybody for a key, and ${name} has none. Make one with ` +
      `"npm run -s spikegrid -- keys create --name ${name} --scopes ${scopes} --gateway ${gateway}", ` +
      'put it into a file that only you can read, and name that file in SPIKEGRID_KEY_FILE',
  );
}
