import { type Endpoint, isSchema } from '../contract/endpoint.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { REFUSAL_FORMS } from '../http/refusal-forms.ts';

/**
 * How a request reaches a service: at its own port, through the gateway of the same Worker, or through
 * the gateway where the service has registered there.
 */
export type Reach = 'direct' | 'forwarded' | 'registered';

/** Every code an endpoint may answer: its own, and those that follow from its form. */
export function refusalsOf(endpoint: Endpoint, reach: Reach): ReadonlySet<ProblemCode> {
  const refusals = new Set<ProblemCode>([
    ...(endpoint.path.includes(':') ? (['unsafe_path'] as const) : []),
    'invalid_parameter',
    ...callerRefusals(endpoint, reach),
    ...bodyRefusals(endpoint),
    ...(isRepeatable(endpoint) ? REPEATING : []),
    ...(isRepeatable(endpoint) && endpoint.secret ? (['already_exists'] as const) : []),
    ...(endpoint.problems ?? []),
    ...ON_THE_WAY[reach],
    'insufficient_storage',
    'internal',
  ]);
  return refusals.has('body_cut_off') ? refusals.add('body_too_slow') : refusals;
}

/** Refusals of the gateway itself when it cannot forward a request. */
const ON_THE_WAY: Readonly<Record<Reach, readonly ProblemCode[]>> = {
  direct: [],
  forwarded: ['loop_detected'],
  registered: [
    'loop_detected',
    'service_not_found',
    'no_healthy_instance',
    'upstream_error',
    'upstream_timeout',
    'stale_epoch',
  ],
};

const REPEATING: readonly ProblemCode[] = [
  'idempotency_mismatch',
  'idempotency_in_flight',
  'payload_too_large',
  'body_cut_off',
];

/** True for endpoints that honour an Idempotency-Key: POST with JSON or without a body. */
export function isRepeatable({ method, access, body }: Endpoint): boolean {
  if (method !== 'POST' || access === 'public') return false;
  return !body || isSchema(body) || body.media.includes('application/json');
}

/**
 * The gateway finds out who calls before it forwards, even where nobody has to say. A session asks
 * for a CSRF token where something may change, and the keys of a token's issuer may be out of reach.
 */
function callerRefusals({ access, method }: Endpoint, reach: Reach): readonly ProblemCode[] {
  if (access === 'public' && reach === 'direct') return [];
  const hasScope = access !== 'public' && access !== 'authenticated';
  const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return [
    'unauthenticated',
    ...(hasScope || !isSafe ? (['forbidden'] as const) : []),
    'origin_not_allowed',
    'rate_limited',
    'upstream_error',
  ];
}

function bodyRefusals({ body }: Endpoint): readonly ProblemCode[] {
  if (!body) return [];
  const always = ['body_cut_off', 'payload_too_large', 'unsupported_media_type'] as const;
  if (isSchema(body)) return ['invalid_json', ...always, 'validation_failed'];
  return body.media.includes('multipart/form-data') ? [...always, 'validation_failed'] : always;
}

/** The codes by the status they are answered with, in its order. */
export function byStatus(
  codes: Iterable<ProblemCode>,
  { refusals }: Pick<Endpoint, 'refusals'>,
): ReadonlyMap<number, readonly ProblemCode[]> {
  const statusOf = (code: ProblemCode) =>
    refusals ? REFUSAL_FORMS[refusals].statusOf(code) : PROBLEMS[code].status;
  return Map.groupBy(
    [...codes].toSorted((a, b) => statusOf(a) - statusOf(b)),
    statusOf,
  );
}
