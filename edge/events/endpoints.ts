import * as z from 'zod/mini';
import { type Endpoints, get } from '../contract/endpoint.ts';
import { EventsQuery, Seq } from '../contract/event-query.ts';
import { EventGap, EventType, PlatformEvent } from './contract/platform-event.ts';
import { describe } from '../contract/endpoint-docs.ts';

/**
 * The query of `GET /events`. Without `after` or `tail`, a page begins with the earliest event that is
 * kept, and a stream with what comes from now on.
 */
const PlatformEventsQuery = z.extend(EventsQuery, {
  /** Of these types only; all that the caller may see where it is left out. */
  type: z.optional(z.array(EventType).check(z.maxLength(EventType.options.length))),
  /** Begins with so many of the latest. */
  tail: z.optional(Seq),
});

/** Response of `GET /events`, in order of arrival. */
export const PlatformEventList = z.object({
  events: z.array(PlatformEvent),
  /** Gaps: requested events that are no longer stored. */
  gaps: z.array(EventGap),
  has_more: z.boolean(),
});
export type PlatformEventList = z.infer<typeof PlatformEventList>;

/** Events of the whole platform, in one order. */
export const eventEndpoints = {
  listPlatformEvents: get('/events', 'authenticated', {
    summary:
      'What happened to jobs, models, alerts, regions and nodes, as far as the scopes of the caller go: a page of events, or a stream of them.',
    query: PlatformEventsQuery,
    lists: ['type'],
    headers: { 'last-event-id': 'The id of the last event that a stream brought.' },
    responses: { 200: PlatformEventList },
    also: { 200: ['text/event-stream'] },
    problems: ['forbidden'],
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const eventDocs = () =>
  describe(eventEndpoints, {
    schemas: [],
    params: {},
    operations: {
      listPlatformEvents: {
        query: { type: ['job.status', 'failover.executed'], after: '1041' },
        answer: {
          events: [
            {
              id: 'evt_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
              seq: 1042,
              type: 'job.status',
              subject: 'job_01JD4XPZ8N3Q6R9S1T4V7W0Y2Z',
              time: '2026-11-20T10:00:00Z',
              team: 'vision',
              data: {
                job_id: 'job_01JD4XPZ8N3Q6R9S1T4V7W0Y2Z',
                level: 'info',
                message: 'running',
                from: 'queued',
                to: 'running',
              },
            },
          ],
          gaps: [],
          has_more: false,
        },
      },
    },
  });
