import * as z from 'zod/mini';
import type { Scope } from '../../contract/scope.ts';
import { DEFAULT_TEAM } from '../../contract/team.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** What happens on the platform that others are told of. */
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

/** Who may see events of a type: whoever may read the same where it happens. */
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
 * Something that happened, in the shape of a CloudEvent. `seq` is its place in the one order of all
 * events and log messages: a later one has a higher number, and numbers between belong to others.
 */
export const PlatformEvent = z.object({
  id: z.string(),
  seq: z.int(),
  type: EventType,
  /** What it is about: a job, a model, an alert, a region or a node. */
  subject: z.string(),
  time: Timestamp,
  /** Whose it is: other teams do not see it. Null for what concerns all of them. */
  team: z.prefault(z.nullable(z.string()), DEFAULT_TEAM),
  data: z.record(z.string(), z.unknown()),
});
export type PlatformEvent = z.infer<typeof PlatformEvent>;

/** An event that has no number yet, and may not say whose it is. */
export type NewEvent = Omit<PlatformEvent, 'seq' | 'team'> & {
  readonly team?: string | null | undefined;
};

/** What concerns all teams. */
const OF_ALL: ReadonlySet<EventType> = new Set([
  'alert.firing',
  'alert.resolved',
  'region.status',
  'failover.executed',
]);

/** Whose an event is: where it does not say so, nobody's alone or of before there were teams. */
export const teamOfEvent = ({ type, team }: Pick<NewEvent, 'type' | 'team'>): string | null =>
  team === undefined && !OF_ALL.has(type) ? DEFAULT_TEAM : (team ?? null);

/** Events that are past their time: all of a type from one number to another. */
export const EventGap = z.object({
  type: z.literal('gap'),
  event_type: EventType,
  from_seq: z.int(),
  to_seq: z.int(),
});
export type EventGap = z.infer<typeof EventGap>;

/** Where a stream begins: the number after which it goes on should it break before the first event. */
export const StreamStart = z.object({ type: z.literal('start'), seq: z.int() });
export type StreamStart = z.infer<typeof StreamStart>;
