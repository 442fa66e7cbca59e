import * as z from 'zod/mini';
import { Alias } from './alias.ts';
import { VersionRecord } from './model.ts';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';

const TagFilter = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{1,64}(?::.{0,256})?$/s, 'expected "key" or "key:value"'));
const Text = z.string().check(z.minLength(1), z.maxLength(128));

/**
 * The query of `GET /models`, as strings. `name` finds a part of a name, whatever the case; every
 * `tag` must be there, as `key` or as `key:value`; the others match exactly. With an `alias`, models
 * are looked at and shown by the version it points to. A `cursor` comes from the page before and
 * holds for the same filters only.
 */
export const ModelQuery = z.strictObject({
  name: z.optional(Text),
  model_type: z.optional(Text),
  framework: z.optional(Text),
  alias: z.optional(Alias),
  tag: z.prefault(z.array(TagFilter).check(z.maxLength(8)), []),
  limit: z.prefault(PageSize, '20'),
  cursor: z.optional(Cursor),
});
export type ModelQuery = z.output<typeof ModelQuery>;

/** The query as a caller of the client writes it. */
export type ModelFilters = Partial<
  Pick<ModelQuery, 'name' | 'model_type' | 'framework' | 'alias'>
> & {
  readonly tag?: readonly string[];
  readonly limit?: number;
  readonly cursor?: string;
};

/** What `GET /models` answers: each model by one version, the latest registered first. */
export const ModelList = z.object({
  models: z.array(VersionRecord),
  total: z.int(),
  ...pageMembers,
});
export type ModelList = z.infer<typeof ModelList>;
