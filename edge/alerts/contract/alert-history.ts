import * as z from 'zod/mini';
import { AlertState, Fingerprint } from './alert.ts';
import { Labels } from './alert-matcher.ts';
import { listMembers } from './alert-page.ts';
import { RuleId, Severity } from './alert-rule.ts';
import { Cursor } from '../../contract/paging.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';

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

/** What `GET /alerts/history` answers, the latest first; kept are 30 days, at most 10,000. */
export const HistoryList = z.object({ transitions: z.array(Transition), ...listMembers });
export type HistoryList = z.infer<typeof HistoryList>;
