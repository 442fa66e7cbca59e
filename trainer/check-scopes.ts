import { callEndpoint, openHttp } from '../edge/contract/client.ts';
import { ownProblem } from '../edge/contract/problem-error.ts';
import { TRAINER_SCOPES } from '../edge/contract/scope.ts';
import { sessionEndpoints } from '../edge/access/session-endpoints.ts';
import type { ServiceAddress } from './job-messages.ts';

const MAKE_KEY = `npm run -s spikegrid -- keys create --name trainer --scopes ${TRAINER_SCOPES.join(',')}`;
const TIME_LIMIT_MS = 15_000;

/**
 * Asks the gateway what this trainer may do: a result that cannot be stored is better known before it is trained.
 *
 * @throws ProblemError forbidden, with what is missing and how such a key is made; unauthenticated
 */
export async function checkScopes(gateway: ServiceAddress, stop: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIME_LIMIT_MS)]);
  const { body } = await callEndpoint(openHttp(gateway), sessionEndpoints.getSession, { signal });
  const { kind, id, scopes } = body;
  if (scopes.includes('admin')) return;
  const missing = TRAINER_SCOPES.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  const isNobody = kind === 'anonymous';
  const lack = isNobody ? 'No key was given, and a trainer needs' : `The ${kind} ${id} lacks`;
  throw ownProblem(
    isNobody ? 'unauthenticated' : 'forbidden',
    `${lack} ${missing.join(', ')}. With a key for administration such a key is made by: ${MAKE_KEY}`,
  );
}
