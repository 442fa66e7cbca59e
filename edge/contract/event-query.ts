import * as z from 'zod/mini';

/** The number of an event, as queries say it. */
export const Seq = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, 'expected a whole number')),
  z.transform(Number),
);

/**
 * The query of a list of events that can be followed. As `text/event-stream` (by Accept) it goes on as they
 * come: `id` is `seq`, `event` is the type; `Last-Event-ID` resumes.
 */
export const EventsQuery = z.strictObject({
  after: z.optional(Seq),
  limit: z.prefault(
    z.pipe(
      z
        .string()
        .check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'expected a whole number from 1 to 1000')),
      z.transform(Number),
    ),
    '100',
  ),
});
export type EventsQuery = z.output<typeof EventsQuery>;
