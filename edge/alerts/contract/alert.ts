import * as z from 'zod/mini';
import { Labels, parseMatcher, WRITTEN_MATCHER } from './alert-matcher.ts';
import { Flag } from './alert-page.ts';
import { ReceiverId } from './alert-receiver.ts';
import { Annotations, RuleId, Severity } from './alert-rule.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { says } from '../../contract/schema-rules.ts';

/**
 * Pending: the condition holds, not yet for long enough. Firing: receivers are told. Suppressed:
 * it would fire, but a silence or another alert says not to tell. Resolved: it is over.
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
  /** When the condition began to hold. */
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
 * The query of `GET /alerts`. `active`, `silenced` and `inhibited` say which of the alerts that
 * are not over to show, and `resolved` adds those that ended within the last two hours. Every `filter`
 * must hold.
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

/** What `GET /alerts` answers: the gravest first, then the latest. */
export const AlertList = z.object({ alerts: z.array(Alert), total: z.int() });
export type AlertList = z.infer<typeof AlertList>;
