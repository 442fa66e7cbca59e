import { MAX_ALIASES, type AliasRecord } from './contract/alias.ts';
import type { Tags, VersionPatch, VersionRecord } from './contract/model.ts';
import { preconditionOf } from '../http/conditional.ts';
import { recordOf, type VersionState } from './machine.ts';

/** What a request says of the state it was made for. */
export interface Conditions {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

/** A refusal because the thing has changed since it was looked at; its ETag now, if it is there. */
export interface Changed {
  readonly kind: 'changed';
  readonly etag: string | undefined;
}

export type PatchDecision =
  | Changed
  | { readonly kind: 'too-many-tags'; readonly count: number }
  | { readonly kind: 'same'; readonly version: VersionState }
  | { readonly kind: 'patch'; readonly version: VersionState };

export type DeleteDecision =
  | Changed
  | { readonly kind: 'in-use'; readonly aliases: readonly string[]; readonly isLast: boolean }
  | { readonly kind: 'delete' };

export type AliasDecision =
  | Changed
  | { readonly kind: 'too-many' }
  | { readonly kind: 'same' | 'create' | 'move'; readonly alias: AliasRecord };

/** How many tags a version may have. */
const MAX_TAGS = 32;

/** A condition of a change (RFC 9110, section 13.1); what is not there has no ETag. */
export function isAsExpected(
  { ifMatch, ifNoneMatch }: Conditions,
  etag: string | undefined,
): boolean {
  if (etag === undefined) return ifMatch === null;
  const asked = new Headers();
  if (ifMatch !== null) asked.set('if-match', ifMatch);
  if (ifNoneMatch !== null) asked.set('if-none-match', ifNoneMatch);
  return preconditionOf(asked, etag) === 'proceed';
}

/** What becomes of a merge patch: only the description and the tags of a version ever change. */
export function decidePatch(
  version: VersionState,
  patch: VersionPatch,
  { conditions, now }: { readonly conditions: Conditions; readonly now: string },
): PatchDecision {
  const before = recordOf(version);
  if (!isAsExpected(conditions, before.etag)) return { kind: 'changed', etag: before.etag };
  const tags = mergeTags(version.tags, patch.tags ?? {});
  const count = Object.keys(tags).length;
  if (count > MAX_TAGS) return { kind: 'too-many-tags', count };
  const after = { ...version, description: patch.description ?? version.description, tags };
  if (recordOf(after).etag === before.etag) return { kind: 'same', version };
  return { kind: 'patch', version: { ...after, updatedAt: now } };
}

function mergeTags(tags: Tags, changes: Readonly<Record<string, string | null>>): Tags {
  const merged = Object.entries({ ...tags, ...changes });
  return Object.fromEntries(
    merged.filter((entry): entry is [string, string] => entry[1] !== null).toSorted(byName),
  );
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : 1);

/** Whether a version may be deleted. By force it may, whatever uses it. */
export function decideDelete(
  { etag, aliases }: VersionRecord,
  { isLast, isForced, conditions }: DeletionCase,
): DeleteDecision {
  if (!isAsExpected(conditions, etag)) return { kind: 'changed', etag };
  if (!isForced && (aliases.length > 0 || isLast)) return { kind: 'in-use', aliases, isLast };
  return { kind: 'delete' };
}

export interface DeletionCase {
  /** Whether its model has no other version. */
  readonly isLast: boolean;
  readonly isForced: boolean;
  readonly conditions: Conditions;
}

/** An alias as it is to be; whose it is, is its model's. */
export type AskedAlias = Omit<AliasRecord, 'updated_at' | 'etag'>;

/** What becomes of an alias that is set; setting it to where it points changes nothing. */
export function decideAlias(
  stored: AliasRecord | undefined,
  asked: AskedAlias,
  { conditions, now, count }: AliasCase,
): AliasDecision {
  if (!isAsExpected(conditions, stored?.etag)) return { kind: 'changed', etag: stored?.etag };
  if (stored?.version === asked.version) return { kind: 'same', alias: stored };
  if (!stored && count >= MAX_ALIASES) return { kind: 'too-many' };
  const alias = aliasOf({ ...asked, updated_at: now });
  return { kind: stored ? 'move' : 'create', alias };
}

export interface AliasCase {
  readonly conditions: Conditions;
  readonly now: string;
  /** How many aliases the model has. */
  readonly count: number;
}

/** An alias as the world sees it: where it points is all there is to tell it by. */
export const aliasOf = (alias: Omit<AliasRecord, 'etag'>): AliasRecord => ({
  ...alias,
  etag: `"${alias.version}"`,
});
