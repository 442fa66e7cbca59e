import * as z from 'zod/mini';
import { Alert } from './alert.ts';
import { Labels } from './alert-matcher.ts';
import { ReceiverId } from './alert-receiver.ts';
import { PlatformEvent } from '../../events/contract/platform-event.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/**
 * The body a webhook is sent, signed in `X-Spikegrid-Signature`: an event (A10) about the alerts of
 * a group. It may come more than once under one id, which `X-Spikegrid-Delivery` holds as well.
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
    /** What fires, and what ended since the notification before. */
    alerts: z.array(Alert),
  }),
});
export type AlertNotification = z.infer<typeof AlertNotification>;

/**
 * The body a webhook is sent of events (A10), signed and named like the one of alerts. The events are
 * in the order of their `seq`; one that came before may come again.
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
