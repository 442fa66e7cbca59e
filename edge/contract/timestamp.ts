import * as z from 'zod/mini';

/** A moment on the wire: ISO 8601 in UTC. */
export const Timestamp = z.iso.datetime();

/**
 * A moment as clients may write it: in UTC, with an offset, or bare, which means UTC. What is in
 * UTC already is kept to the letter.
 */
export const TimestampInput = z.pipe(
  z.iso.datetime({ offset: true, local: true }),
  z.transform((text) => {
    if (text.endsWith('Z')) return text;
    return new Date(/[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`).toISOString();
  }),
);
