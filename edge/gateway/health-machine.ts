import type { HealthPolicy, ServiceStatus } from '../contract/service.ts';

/** The result of one probe. */
export type Verdict =
  | { readonly kind: 'well' | 'degraded' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * The health of one instance by its probes. The first probe decides; after that, several in a row
 * change the status.
 *
 *   unknown --well--> passing, --failed--> critical
 *   passing <--well, degraded--> warning
 *   passing, warning --failures_before_critical failed in a row--> critical
 *   critical --success_before_passing well or degraded in a row--> passing or warning
 */
export interface HealthState {
  readonly status: ServiceStatus;
  /** Consecutive probes that contradict `status`. */
  readonly against: number;
  readonly lastError: string | null;
}

export const UNKNOWN: HealthState = { status: 'unknown', against: 0, lastError: null };

type Limits = Pick<HealthPolicy, 'failures_before_critical' | 'success_before_passing'>;

/** The state after a probe; the same object where nothing changed, so that nothing is written. */
export function afterProbe(state: HealthState, verdict: Verdict, limits: Limits): HealthState {
  const next = verdict.kind === 'failed' ? afterFailure : afterSuccess;
  const found = next(state, verdict, limits);
  const isSame =
    found.status === state.status &&
    found.against === state.against &&
    found.lastError === state.lastError;
  return isSame ? state : found;
}

function afterFailure(state: HealthState, verdict: Verdict, limits: Limits): HealthState {
  const lastError = verdict.kind === 'failed' ? verdict.reason : null;
  if (state.status === 'critical') return { ...state, against: 0, lastError };
  const against = state.against + 1;
  const isEnough = state.status === 'unknown' || against >= limits.failures_before_critical;
  if (isEnough) return { status: 'critical', against: 0, lastError };
  return { status: state.status, against, lastError };
}

function afterSuccess(state: HealthState, { kind }: Verdict, limits: Limits): HealthState {
  const status = kind === 'degraded' ? 'warning' : 'passing';
  if (state.status !== 'critical') return { status, against: 0, lastError: null };
  const against = state.against + 1;
  if (against >= limits.success_before_passing) return { status, against: 0, lastError: null };
  return { ...state, against };
}

/** The longest interval between probes of a doubtful or critical instance. */
const CLOSE_LOOK_MS = 2_000;

/** The delay until the next probe. */
export function probeDelayMs({ status, against }: HealthState, { interval_s }: HealthPolicy) {
  const isSettled = against === 0 && (status === 'passing' || status === 'warning');
  return isSettled ? interval_s * 1000 : Math.min(interval_s * 1000, CLOSE_LOOK_MS);
}

const WORST_FIRST: readonly ServiceStatus[] = ['critical', 'warning', 'unknown', 'passing'];

/** The worst of several statuses. */
export const worstOf = (found: readonly ServiceStatus[]): ServiceStatus =>
  WORST_FIRST.find((status) => found.includes(status)) ?? 'unknown';
