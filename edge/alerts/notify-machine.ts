/** An alert as far as it matters for when a receiver is told. Times in milliseconds since 1970. */
export interface Tellable {
  /** Unique over all alerts. */
  readonly key: string;
  readonly phase: 'firing' | 'suppressed' | 'resolved';
}

/** Alerts that a receiver is told of together. */
export interface Group {
  /** Keys of the alerts it was last told are firing. */
  readonly told: readonly string[];
  readonly toldAt: number | null;
  /** When it may be told next. */
  readonly nextAt: number;
}

export interface GroupPolicy {
  readonly sendResolved: boolean;
  readonly waitMs: number;
  readonly intervalMs: number;
  readonly repeatMs: number;
}

export interface Telling {
  readonly firing: readonly string[];
  readonly resolved: readonly string[];
}

export interface GroupPlan {
  /** Undefined where nothing is left to remember. */
  readonly group: Group | undefined;
  readonly tell: Telling | undefined;
}

/**
 * Decides what a receiver is told of a group now: new alerts after `wait`, changes after
 * `interval`, all that fires again after `repeat`. What it was told is firing it is told is
 * resolved, even if a silence began in between; a suppressed alert is not told of.
 */
export function planGroup(
  known: Group | undefined,
  alerts: readonly Tellable[],
  policy: GroupPolicy,
  now: number,
): GroupPlan {
  const firing = keysIn(alerts, 'firing');
  const group = known ?? { told: [], toldAt: null, nextAt: now + policy.waitMs };
  if (firing.length === 0 && group.told.length === 0) return { group: undefined, tell: undefined };
  if (now < group.nextAt) return { group, tell: undefined };
  const quiet = new Set(keysIn(alerts, 'suppressed'));
  const active = new Set([...firing, ...group.told.filter((key) => quiet.has(key))]);
  const over = group.told.filter((key) => !active.has(key));
  const tell = { firing, resolved: policy.sendResolved ? over : [] };
  if (isNews(group, tell, policy, now)) {
    return { group: { told: [...active], toldAt: now, nextAt: now + policy.intervalMs }, tell };
  }
  const told = group.told.filter((key) => active.has(key));
  return { group: { ...group, told }, tell: undefined };
}

function isNews(
  { told, toldAt }: Group,
  { firing, resolved }: Telling,
  { repeatMs }: GroupPolicy,
  now: number,
): boolean {
  const isDue = firing.length > 0 && now - (toldAt ?? -Infinity) >= repeatMs;
  return isDue || resolved.length > 0 || firing.some((key) => !told.includes(key));
}

const keysIn = (alerts: readonly Tellable[], phase: Tellable['phase']) =>
  alerts.filter((alert) => alert.phase === phase).map(({ key }) => key);

const MAX_ATTEMPTS = 10;
const LONGEST_WAIT_MS = 600_000;

export type Attempt =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly error: string };

export type Outcome =
  | { readonly status: 'delivered' | 'failed' }
  | { readonly status: 'waiting'; readonly nextAt: number };

/**
 * What follows from an attempt to deliver, the `attempts`-th: 2xx is delivered; what may pass (no
 * answer, 408, 429, 5xx) is tried again after ever longer waits; all else is final.
 */
export function outcomeOf(
  attempt: Attempt,
  attempts: number,
  retryMs: number,
  now: number,
): Outcome {
  if (attempt.kind === 'answered') {
    const { status } = attempt;
    if (status >= 200 && status < 300) return { status: 'delivered' };
    if (status !== 408 && status !== 429 && status < 500) return { status: 'failed' };
  }
  if (attempts >= MAX_ATTEMPTS) return { status: 'failed' };
  const waitMs = Math.min(retryMs * 2 ** (attempts - 1), LONGEST_WAIT_MS);
  return { status: 'waiting', nextAt: now + waitMs };
}
