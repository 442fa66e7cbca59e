import * as z from 'zod/mini';
import { KEY_ID } from './api-key.ts';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { Scope } from '../../contract/scope.ts';
import { Team } from '../../contract/team.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { says } from '../../contract/schema-rules.ts';

const MAX_KEY_AGE_S = 10 * 366 * 24 * 3600;

/** The public part of an API key, by which lists, the audit log and `revoke` name it. */
export const KeyId = z.string().check(z.regex(KEY_ID, 'expected the twelve letters of a key id'));
export type KeyId = z.infer<typeof KeyId>;

const Scopes = z.array(Scope).check(
  z.minLength(1),
  says(
    { uniqueItems: true },
    z.refine((scopes) => new Set(scopes).size === scopes.length, 'a scope is named twice'),
  ),
);

/**
 * The request for a new key. Without `expires_in_s` it is valid until it is revoked; without
 * `team` it belongs to its creator's team.
 */
export const NewKey = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(128)),
  scopes: Scopes,
  team: z.optional(Team),
  expires_in_s: z.optional(z.int().check(z.minimum(60), z.maximum(MAX_KEY_AGE_S))),
});
export type NewKey = z.infer<typeof NewKey>;

export const KeyStatus = z.enum(['active', 'expired', 'revoked']);
export type KeyStatus = z.infer<typeof KeyStatus>;

/** A key in a list, without its secret, of which only a hash is stored. */
export const KeyRecord = z.object({
  key_id: KeyId,
  name: z.string(),
  team: Team,
  scopes: z.array(Scope),
  status: KeyStatus,
  created_at: Timestamp,
  /** Its creator: `local`, the id of a key or the subject of a token. */
  created_by: z.string(),
  expires_at: z.nullable(Timestamp),
  /** To the minute. */
  last_used_at: z.nullable(Timestamp),
  revoked_at: z.nullable(Timestamp),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

/** The response to creating a key: the only one that contains the key itself. */
export const CreatedKey = z.extend(KeyRecord, { key: z.string() });
export type CreatedKey = z.infer<typeof CreatedKey>;

/** The query of `GET /api/keys`. */
export const KeyQuery = z.strictObject({
  status: z.optional(KeyStatus),
  limit: z.prefault(PageSize, '50'),
  cursor: z.optional(Cursor),
});
export type KeyQuery = z.output<typeof KeyQuery>;

/** The response of `GET /api/keys`, the latest key first. */
export const KeyList = z.object({
  keys: z.array(KeyRecord),
  total: z.int(),
  ...pageMembers,
});
export type KeyList = z.infer<typeof KeyList>;
