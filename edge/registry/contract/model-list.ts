import * as z from 'zod/mini';
import { Alias } from './alias.ts';
import { VersionRecord } from './model.ts';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';

const TagFilter = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{1,64}(?::.{0,256})?$/s, 'expected "key" or "key:value"'));
const Text = z.string().check(z.minLength(1), z.maxLength(128));

/**
 * The query of `GET /models`, as strings. `name` matches a substring, ignoring case; every `tag` must
 * match, as `key` or as `key:value`; the others match exactly. With an `alias`, models are filtered and
 * shown by the version it points to. A `cursor` is that of the previous page with the same filters.
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

/** The response of `GET /models`: each model by one version, the latest registered first. */
export const ModelList = z.object({
  models: z.array(VersionRecord),
  total: z.int(),
  ...pageMembers,
});
export type ModelList = z.infer<typeof ModelList>;
