/** An alert as far as it matters for when a receiver is notified. Times in milliseconds since 1970. */
export interface Notifiable {
  /** Unique over all alerts. */
  readonly key: string;
  readonly phase: 'firing' | 'suppressed' | 'resolved';
}

/** Alerts that one notification covers. */
export interface Group {
  /** Keys of the alerts that the last notification reported as firing. */
  readonly told: readonly string[];
  readonly toldAt: number | null;
  /** When the next notification may be sent. */
  readonly nextAt: number;
}

export interface GroupPolicy {
  readonly sendResolved: boolean;
  readonly waitMs: number;
  readonly intervalMs: number;
  readonly repeatMs: number;
}

export interface GroupChange {
  readonly firing: readonly string[];
  readonly resolved: readonly string[];
}

interface GroupPlan {
  /** Undefined where nothing is left to remember. */
  readonly group: Group | undefined;
  readonly notify: GroupChange | undefined;
}

/**
 * Decides the notification to send about a group now: new alerts after `wait`, changes after `interval`,
 * and a reminder of all that fires after `repeat`. An alert once reported as firing is reported as
 * resolved, even if it was silenced in between; suppressed alerts are not reported.
 */
export function planGroup(
  known: Group | undefined,
  alerts: readonly Notifiable[],
  policy: GroupPolicy,
  now: number,
): GroupPlan {
  const firing = keysIn(alerts, 'firing');
  const group = known ?? { told: [], toldAt: null, nextAt: now + policy.waitMs };
  if (firing.length === 0 && group.told.length === 0)
    return { group: undefined, notify: undefined };
  if (now < group.nextAt) return { group, notify: undefined };
  const quiet = new Set(keysIn(alerts, 'suppressed'));
  const active = new Set([...firing, ...group.told.filter((key) => quiet.has(key))]);
  const over = group.told.filter((key) => !active.has(key));
  const notify = { firing, resolved: policy.sendResolved ? over : [] };
  if (isNews(group, notify, policy, now)) {
    return { group: { told: [...active], toldAt: now, nextAt: now + policy.intervalMs }, notify };
  }
  const told = group.told.filter((key) => active.has(key));
  return { group: { ...group, told }, notify: undefined };
}

function isNews(
  { told, toldAt }: Group,
  { firing, resolved }: GroupChange,
  { repeatMs }: GroupPolicy,
  now: number,
): boolean {
  const isDue = firing.length > 0 && now - (toldAt ?? -Infinity) >= repeatMs;
  return isDue || resolved.length > 0 || firing.some((key) => !told.includes(key));
}

const keysIn = (alerts: readonly Notifiable[], phase: Notifiable['phase']) =>
  alerts.filter((alert) => alert.phase === phase).map(({ key }) => key);

const MAX_ATTEMPTS = 10;
const MAX_WAIT_MS = 600_000;

export type Attempt =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly error: string };

export type Outcome =
  | { readonly status: 'delivered' | 'failed' }
  | { readonly status: 'waiting'; readonly nextAt: number };

/**
 * The outcome of the `attempts`-th attempt to deliver: 2xx is delivered; a transient failure (no response,
 * 408, 429, 5xx) is retried with exponential backoff; any other is final.
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
  const waitMs = Math.min(retryMs * 2 ** (attempts - 1), MAX_WAIT_MS);
  return { status: 'waiting', nextAt: now + waitMs };
}
