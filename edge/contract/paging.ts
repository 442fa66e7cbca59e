import * as z from 'zod/mini';

/** How many items a page of a list may hold, as a query writes it. */
export const PageSize = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
  z.transform(Number),
);

/** The `next_cursor` of the page before. */
export const Cursor = z.string().check(z.maxLength(256));

/** Members of every page about the rest of its list. */
export const pageMembers = {
  has_more: z.boolean(),
  next_cursor: z.nullable(z.string()),
} as const;
