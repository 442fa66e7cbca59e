import * as z from 'zod/mini';
import type { Scope } from '../../contract/scope.ts';
import { DEFAULT_TEAM } from '../../contract/team.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** The types of platform events. */
export const EventType = z.enum([
  'job.status',
  'job.checkpoint',
  'model.registered',
  'model.alias',
  'alert.firing',
  'alert.resolved',
  'region.status',
  'failover.executed',
  'node.status',
]);
export type EventType = z.infer<typeof EventType>;

/** The scope for events of a type: that for reading the same at its source. */
export const EVENT_SCOPES: Readonly<Record<EventType, Scope>> = {
  'job.status': 'train',
  'job.checkpoint': 'train',
  'model.registered': 'registry:read',
  'model.alias': 'registry:read',
  'alert.firing': 'metrics:read',
  'alert.resolved': 'metrics:read',
  'region.status': 'geo:read',
  'failover.executed': 'geo:read',
  'node.status': 'discovery:read',
};

/**
 * An event, in the shape of a CloudEvent. `seq` is its place in the common sequence of all events
 * and log messages, whose numbers are not consecutive for events alone.
 */
export const PlatformEvent = z.object({
  id: z.string(),
  seq: z.int(),
  type: EventType,
  /** The object it is about: a job, a model, an alert, a region or a node. */
  subject: z.string(),
  time: Timestamp,
  /** Only this team sees it; null for events that concern all teams. */
  team: z.prefault(z.nullable(z.string()), DEFAULT_TEAM),
  data: z.record(z.string(), z.unknown()),
});
export type PlatformEvent = z.infer<typeof PlatformEvent>;

/** An event without a number, and possibly without a team. */
export type NewEvent = Omit<PlatformEvent, 'seq' | 'team'> & {
  readonly team?: string | null | undefined;
};

/** Types that concern all teams. */
const OF_ALL: ReadonlySet<EventType> = new Set([
  'alert.firing',
  'alert.resolved',
  'region.status',
  'failover.executed',
]);

/** The team of an event; where it is missing, that of its type, or the default of older events. */
export const teamOfEvent = ({ type, team }: Pick<NewEvent, 'type' | 'team'>): string | null =>
  team === undefined && !OF_ALL.has(type) ? DEFAULT_TEAM : (team ?? null);

/** Expired events: all of a type from one number to another. */
export const EventGap = z.object({
  type: z.literal('gap'),
  event_type: EventType,
  from_seq: z.int(),
  to_seq: z.int(),
});
export type EventGap = z.infer<typeof EventGap>;

/** The start of a stream: the number to resume after, should it break before the first event. */
export const StreamStart = z.object({ type: z.literal('start'), seq: z.int() });
export type StreamStart = z.infer<typeof StreamStart>;
