import * as z from 'zod/mini';
import { Labels, parseMatcher, WRITTEN_MATCHER } from './alert-matcher.ts';
import { ReceiverId } from './alert-receiver.ts';
import { Annotations, RuleId, Severity } from './alert-rule.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { says } from '../../contract/schema-rules.ts';
import { Cursor, pageMembers } from '../../contract/paging.ts';
import { PlatformEvent } from '../../events/contract/platform-event.ts';

/** `true` or `false` in a query. */
const Flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((text) => text === 'true'),
);

/**
 * Pending: the condition holds, but not yet for long enough. Firing: receivers are notified. Suppressed:
 * it would fire, but a silence or another alert prevents it. Resolved: the condition no longer holds.
 */
export const AlertState = z.enum(['pending', 'firing', 'suppressed', 'resolved']);
export type AlertState = z.infer<typeof AlertState>;

/** A hash of the alert's labels, whatever their order: 16 hex digits. */
export const Fingerprint = z.string().check(z.regex(/^[0-9a-f]{16}$/));

/** An alert; its field names are Alertmanager's where that has one. */
export const Alert = z.object({
  fingerprint: Fingerprint,
  name: z.string(),
  severity: Severity,
  service_name: z.nullable(z.string()),
  status: z.object({
    state: AlertState,
    /** Ids of silences. */
    silencedBy: z.array(z.string()),
    /** Fingerprints of alerts. */
    inhibitedBy: z.array(Fingerprint),
  }),
  labels: Labels,
  annotations: Annotations,
  /** When the condition started to hold. */
  startsAt: Timestamp,
  updatedAt: Timestamp,
  endsAt: z.nullable(Timestamp),
  /** The last value while the condition held. */
  value: z.number(),
  rule_id: RuleId,
  receivers: z.array(ReceiverId),
  /** The dashboard's page of the rule, as a path. */
  generatorURL: z.string(),
});
export type Alert = z.infer<typeof Alert>;

const MatcherText = z.string().check(
  z.maxLength(640),
  says(
    { pattern: WRITTEN_MATCHER },
    z.refine(
      (text) => parseMatcher(text) !== undefined,
      'expected a matcher such as service_name="gateway" or status=~"5.."',
    ),
  ),
);

/**
 * The query of `GET /alerts`. `active`, `silenced` and `inhibited` select among unresolved alerts;
 * `resolved` adds those that were resolved within the last two hours. Every `filter` must match.
 */
export const AlertQuery = z.strictObject({
  active: z.prefault(Flag, 'true'),
  silenced: z.prefault(Flag, 'true'),
  inhibited: z.prefault(Flag, 'true'),
  resolved: z.prefault(Flag, 'false'),
  severity: z.optional(Severity),
  service: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
  filter: z.prefault(z.array(MatcherText).check(z.maxLength(16)), []),
});
export type AlertQuery = z.output<typeof AlertQuery>;

/** The response of `GET /alerts`, ordered by severity, then the latest first. */
export const AlertList = z.object({ alerts: z.array(Alert), total: z.int() });
export type AlertList = z.infer<typeof AlertList>;

/** A change of an alert's state; `from` is null where the alert began. */
export const Transition = z.object({
  id: z.string(),
  at: Timestamp,
  fingerprint: Fingerprint,
  rule_id: RuleId,
  name: z.string(),
  severity: Severity,
  service_name: z.nullable(z.string()),
  labels: Labels,
  from: z.nullable(AlertState),
  to: AlertState,
  value: z.number(),
});
export type Transition = z.infer<typeof Transition>;

const HistorySize = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'expected a whole number from 1 to 1000')),
  z.transform(Number),
);

/** The query of `GET /alerts/history`; `state` is the state entered. */
export const HistoryQuery = z.strictObject({
  from: z.optional(TimestampInput),
  to: z.optional(TimestampInput),
  rule_id: z.optional(RuleId),
  fingerprint: z.optional(Fingerprint),
  state: z.optional(AlertState),
  limit: z.prefault(HistorySize, '100'),
  cursor: z.optional(Cursor),
});
export type HistoryQuery = z.output<typeof HistoryQuery>;

/**
 * The response of `GET /alerts/history`, the latest first; 30 days and at most 10,000 transitions are
 * retained.
 */
export const HistoryList = z.object({
  transitions: z.array(Transition),
  total: z.int(),
  ...pageMembers,
});
export type HistoryList = z.infer<typeof HistoryList>;

/**
 * The body of an alert webhook, signed in `X-Spikegrid-Signature`: an event (A10) about the alerts of a
 * group. It may be delivered more than once with the same id, which `X-Spikegrid-Delivery` repeats.
 */
export const AlertNotification = z.object({
  id: z.string(),
  type: z.enum(['alert.firing', 'alert.resolved']),
  /** The name of the first alert. */
  subject: z.string(),
  time: Timestamp,
  data: z.object({
    receiver: z.object({ id: ReceiverId, name: z.string() }),
    group_labels: Labels,
    /** Alerts that fire, and those resolved since the previous notification. */
    alerts: z.array(Alert),
  }),
});
export type AlertNotification = z.infer<typeof AlertNotification>;

/**
 * The body of an event webhook (A10), signed and identified like an alert webhook. Events are ordered by
 * `seq`, and may be delivered more than once.
 */
export const EventsNotification = z.object({
  id: z.string(),
  type: z.literal('events'),
  /** The id of the receiver. */
  subject: ReceiverId,
  time: Timestamp,
  data: z.object({
    receiver: z.object({ id: ReceiverId, name: z.string() }),
    events: z.array(PlatformEvent),
  }),
});
export type EventsNotification = z.infer<typeof EventsNotification>;
