import * as z from 'zod/mini';
import { Labels } from './alert-matcher.ts';
import { EventType } from '../../events/contract/platform-event.ts';
import { LabelName } from '../../monitoring/contract/metrics.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { says } from '../../contract/schema-rules.ts';

export const ReceiverId = z
  .string()
  .check(
    z.regex(
      /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/,
      'expected 1 to 64 letters, digits, - and _, a letter or digit first',
    ),
  );

const wait = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

/**
 * The body of `POST /alerts/receivers`: a webhook. Alerts with equal `group_by` labels are sent in one
 * notification: the first after `group_wait_s`, changes after `group_interval_s`, and a reminder after
 * `repeat_interval_s`. Events of the types in `events` are sent as they happen, whatever the rules. A
 * secret is generated where none is given.
 */
export const NewReceiver = z.strictObject({
  id: z.optional(ReceiverId),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(128)),
  url: z.string().check(
    z.maxLength(2048),
    says(
      {
        pattern:
          /^https?:\/\/(?:\[::[0-9A-Fa-f]{0,4}\]|\[(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}\]|(?:\d{1,2}\.){3}\d{1,3}|[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)*)(?::\d{1,5})?(?:\/[!-~]*)?$/,
      },
      z.refine(
        (url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''),
        'expected an http(s) URL',
      ),
    ),
  ),
  secret: z.optional(z.string().check(z.minLength(16), z.maxLength(256))),
  send_resolved: z.prefault(z.boolean(), true),
  group_by: z.prefault(z.array(LabelName).check(z.maxLength(8)), ['alertname']),
  group_wait_s: z.prefault(wait(0, 3600), 10),
  group_interval_s: z.prefault(wait(1, 3600), 60),
  repeat_interval_s: z.prefault(wait(60, 7 * 86_400), 4 * 3600),
  events: z.prefault(z.array(EventType).check(z.maxLength(EventType.options.length)), []),
});
export type NewReceiverInput = z.input<typeof NewReceiver>;
export type NewReceiver = z.output<typeof NewReceiver>;

export const DeliveryStatus = z.enum(['waiting', 'delivered', 'failed']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const DeliveryKind = z.enum(['firing', 'resolved', 'events']);
export type DeliveryKind = z.infer<typeof DeliveryKind>;

/** One notification and what became of it. */
export const Delivery = z.object({
  id: z.string(),
  /** The labels that the alerts share; empty for events. */
  group_labels: Labels,
  kind: DeliveryKind,
  /** The number of alerts or events in it. */
  alerts: z.int(),
  status: DeliveryStatus,
  attempts: z.int(),
  created_at: Timestamp,
  last_attempt_at: z.nullable(Timestamp),
  next_attempt_at: z.nullable(Timestamp),
  /** The HTTP status of the last attempt. */
  http_status: z.nullable(z.int()),
  error: z.nullable(z.string()),
});
export type Delivery = z.infer<typeof Delivery>;

/** A receiver without its secret, and its latest notifications, newest first. */
export const Receiver = z.object({
  id: ReceiverId,
  name: z.string(),
  url: z.string(),
  send_resolved: z.boolean(),
  group_by: z.array(LabelName),
  group_wait_s: z.int(),
  group_interval_s: z.int(),
  repeat_interval_s: z.int(),
  events: z.array(EventType),
  created_at: Timestamp,
  deliveries: z.array(Delivery),
});
export type Receiver = z.infer<typeof Receiver>;

/** The response of `POST /alerts/receivers`, the only one that contains the secret. */
export const CreatedReceiver = z.extend(Receiver, { secret: z.string() });
export type CreatedReceiver = z.infer<typeof CreatedReceiver>;

export const ReceiverList = z.object({ receivers: z.array(Receiver), total: z.int() });
export type ReceiverList = z.infer<typeof ReceiverList>;
