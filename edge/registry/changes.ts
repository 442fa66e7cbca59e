import { type AliasRecord, MAX_ALIASES } from './contract/alias.ts';
import type {
  DeletionAnswer,
  Tags,
  VersionChoice,
  VersionPatch,
  VersionRecord,
} from './contract/model.ts';
import { preconditionOf } from '../http/conditional.ts';
import { recordOf, type VersionOwners, type VersionState } from './machine.ts';
import type { Digest } from '../contract/digest.ts';
import type { FileRecord } from './contract/model-file.ts';
import type { WantedVersion } from '../geo/region-store/copy.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import type { StoredFile } from './store.ts';
import type { PendingEvent } from '../events/outbox.ts';

/** The preconditions of a request. */
export interface Conditions {
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
}

/** A refusal because the thing has changed since it was looked at; its ETag now, if it is there. */
interface Changed {
  readonly kind: 'changed';
  readonly etag: string | undefined;
}

type PatchDecision =
  | Changed
  | { readonly kind: 'too-many-tags'; readonly count: number }
  | { readonly kind: 'same'; readonly version: VersionState }
  | { readonly kind: 'patch'; readonly version: VersionState };

type DeleteDecision =
  | Changed
  | { readonly kind: 'in-use'; readonly aliases: readonly string[]; readonly isLast: boolean }
  | { readonly kind: 'delete' };

export type AliasDecision =
  | Changed
  | { readonly kind: 'too-many' }
  | { readonly kind: 'same' | 'create' | 'move'; readonly alias: AliasRecord };

/** Tags that a version may have. */
const MAX_TAGS = 32;

/** A condition of a change (RFC 9110, section 13.1); what is not there has no ETag. */
export function isAsExpected(
  { ifMatch, ifNoneMatch }: Conditions,
  etag: string | undefined,
): boolean {
  if (etag === undefined) return ifMatch === null;
  const requested = new Headers();
  if (ifMatch !== null) requested.set('if-match', ifMatch);
  if (ifNoneMatch !== null) requested.set('if-none-match', ifNoneMatch);
  return preconditionOf(requested, etag) === 'proceed';
}

/** Applies a merge patch: only the description and the tags of a version ever change. */
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

/** Whether a version may be deleted; with force it always may. */
export function decideDelete(
  { etag, aliases }: VersionRecord,
  { isLast, isForced, conditions }: DeletionCase,
): DeleteDecision {
  if (!isAsExpected(conditions, etag)) return { kind: 'changed', etag };
  if (!isForced && (aliases.length > 0 || isLast)) return { kind: 'in-use', aliases, isLast };
  return { kind: 'delete' };
}

interface DeletionCase {
  /** Whether its model has no other version. */
  readonly isLast: boolean;
  readonly isForced: boolean;
  readonly conditions: Conditions;
}

/** A new state of an alias; its owner is that of its model. */
export type NewAlias = Omit<AliasRecord, 'updated_at' | 'etag'>;

/** Sets an alias; setting it to its present version changes nothing. */
export function decideAlias(
  stored: AliasRecord | undefined,
  requested: NewAlias,
  { conditions, now, count }: AliasCase,
): AliasDecision {
  if (!isAsExpected(conditions, stored?.etag)) return { kind: 'changed', etag: stored?.etag };
  if (stored?.version === requested.version) return { kind: 'same', alias: stored };
  if (!stored && count >= MAX_ALIASES) return { kind: 'too-many' };
  const alias = aliasOf({ ...requested, updated_at: now });
  return { kind: stored ? 'move' : 'create', alias };
}

interface AliasCase {
  readonly conditions: Conditions;
  readonly now: string;
  /** How many aliases the model has. */
  readonly count: number;
}

/** An alias record; its ETag is the version it points to. */
export const aliasOf = (alias: Omit<AliasRecord, 'etag'>): AliasRecord => ({
  ...alias,
  etag: `"${alias.version}"`,
});

export type RegisterResult =
  | { readonly kind: 'created' | 'same'; readonly record: VersionRecord }
  | { readonly kind: 'refused'; readonly differs: readonly string[] }
  | { readonly kind: 'deleted'; readonly deletedAt: string }
  | { readonly kind: 'taken' }
  | { readonly kind: 'over'; readonly used: Used };

/** The principal that registers a version, and its owner. */
export interface Registrant {
  readonly whose: VersionOwners;
  /** Whether it may become a version of another team's model. */
  readonly mayAnyTeam: boolean;
  /** How many models the caller may have. */
  readonly limits: Used;
}

/** The owners of a model, and of one of its versions where requested. */
export interface ModelOwners {
  readonly model: Ownership;
  readonly version: VersionOwners | undefined;
  /** The job whose result the version claims to be. */
  readonly jobId: string | undefined;
}

export type PublishResult =
  | { readonly kind: 'published' | 'same' | 'immutable'; readonly file: FileRecord }
  | { readonly kind: 'wrong-digest'; readonly expected: Digest }
  | { readonly kind: 'no-version' | 'expired' }
  | { readonly kind: 'over'; readonly used: Used };

/** The versions that regions replicate. */
export interface CompleteVersions {
  /** Names this answer, to ask for a newer one only. */
  readonly revision: string;
  readonly versions: readonly WantedVersion[];
}

export interface RecordPage {
  readonly records: readonly VersionRecord[];
  readonly total: number;
  readonly next: number | undefined;
}

export interface FileAddress {
  readonly modelId: string;
  /** The default version where it names none. */
  readonly choice: VersionChoice;
  readonly filename: string;
}

/** The version a request means. */
export type Resolved =
  | { readonly kind: 'found'; readonly version: string }
  | { readonly kind: 'no-version' | 'no-alias' };

export type FindResult =
  | { readonly kind: 'found'; readonly version: string; readonly stored: StoredFile }
  | { readonly kind: 'no-version' | 'no-alias' }
  | { readonly kind: 'no-file'; readonly version: string };

export type PatchResult =
  | { readonly kind: 'patched' | 'same'; readonly record: VersionRecord }
  | Extract<PatchDecision, Changed | { kind: 'too-many-tags' }>
  | { readonly kind: 'no-version' };

export type DeleteResult =
  | { readonly kind: 'deleted'; readonly answer: DeletionAnswer }
  | Exclude<DeleteDecision, { kind: 'delete' }>
  | { readonly kind: 'no-version' };

export interface Deletion {
  readonly isForced: boolean;
  readonly conditions: Conditions;
}

export type RemoveAliasResult =
  | Changed
  | { readonly kind: 'removed'; readonly version: string }
  | { readonly kind: 'no-alias' };

/** A version was registered; published again with the status READY once its files are complete. */
export const registered = ({
  model_id,
  version,
  status,
  job_id,
  team,
}: VersionRecord): PendingEvent => ({
  type: 'model.registered',
  team,
  subject: model_id,
  data: { model_id, version, status, job_id },
});

interface AliasAddress {
  readonly modelId: string;
  readonly alias: string;
  readonly team: string | undefined;
}

/** An alias moved: `from` is null where it is new, `to` where it was deleted. */
export const aliasMoved = (
  { modelId, alias, team }: AliasAddress,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): PendingEvent => ({
  type: 'model.alias',
  team,
  subject: modelId,
  data: { model_id: modelId, alias, from, to },
});
