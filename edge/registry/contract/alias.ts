import * as z from 'zod/mini';
import { Version } from '../../contract/semver.ts';
import { ownedMembers } from '../../contract/team.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** A movable name for a version, such as `production`. It never looks like a version. */
export const Alias = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
      'expected 1 to 64 of A-Z a-z 0-9 _ - and a letter first',
    ),
  );
export type Alias = z.infer<typeof Alias>;

/** Aliases that one model may have. */
export const MAX_ALIASES = 64;

/** The body of `PUT /models/{id}/aliases/{alias}`. */
export const AliasTarget = z.strictObject({ version: Version });
export type AliasTarget = z.infer<typeof AliasTarget>;

export const AliasRecord = z.object({
  model_id: z.string(),
  alias: Alias,
  version: Version,
  /** Those of its model. */
  ...ownedMembers,
  updated_at: Timestamp,
  /** The `If-Match` value to move or delete the alias only from its present version. */
  etag: z.string(),
});
export type AliasRecord = z.infer<typeof AliasRecord>;

/** Refuses a query that names a version twice, as the two may differ. */
export const isOneChoice = z.refine<{ version?: unknown; alias?: unknown }>(
  ({ version, alias }) => version === undefined || alias === undefined,
  { error: 'expected a version or an alias, not both', path: ['alias'] },
);
