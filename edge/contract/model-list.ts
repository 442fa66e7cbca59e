import * as z from 'zod/mini';
import { VersionRecord } from './model.ts';

const PageSize = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
  z.transform(Number),
);
const TagFilter = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{1,64}(?::.{0,256})?$/s, 'expected "key" or "key:value"'));
const Text = z.string().check(z.minLength(1), z.maxLength(128));

/**
 * The query of `GET /models`, as strings. `name` finds a part of a name, whatever the case; every
 * `tag` must be there, as `key` or as `key:value`; the others match exactly. A `cursor` comes from
 * the page before and holds for the same filters only.
 */
export const ModelQuery = z.strictObject({
  name: z.optional(Text),
  model_type: z.optional(Text),
  framework: z.optional(Text),
  tag: z.prefault(z.array(TagFilter).check(z.maxLength(8)), []),
  limit: z.prefault(PageSize, '20'),
  cursor: z.optional(z.string().check(z.maxLength(256))),
});
export type ModelQuery = z.output<typeof ModelQuery>;

/** The query as a caller of the client writes it. */
export type ModelFilters = Partial<Pick<ModelQuery, 'name' | 'model_type' | 'framework'>> & {
  readonly tag?: readonly string[];
  readonly limit?: number;
  readonly cursor?: string;
};

/** What `GET /models` answers: each model by its default version, the latest registered first. */
export const ModelList = z.object({
  models: z.array(VersionRecord),
  total: z.int(),
  has_more: z.boolean(),
  next_cursor: z.nullable(z.string()),
});
export type ModelList = z.infer<typeof ModelList>;
