import type { Digest } from '../contract/digest.ts';
import type { FileRecord } from './contract/model-file.ts';
import type { DeletionAnswer, VersionChoice, VersionRecord } from './contract/model.ts';
import type { WantedVersion } from '../geo/region-store/copy.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import type { VersionOwners } from './machine.ts';
import type { Changed, Conditions, DeleteDecision, PatchDecision } from './changes.ts';
import type { StoredFile } from './store.ts';

export type RegisterResult =
  | { readonly kind: 'created' | 'same'; readonly record: VersionRecord }
  | { readonly kind: 'refused'; readonly differs: readonly string[] }
  | { readonly kind: 'deleted'; readonly deletedAt: string }
  | { readonly kind: 'taken' }
  | { readonly kind: 'over'; readonly used: Used };

/** Who registers a version, and for whom. */
export interface Registrant {
  readonly whose: VersionOwners;
  /** Whether it may become a version of another team's model. */
  readonly mayAnyTeam: boolean;
  /** How many models the caller may have. */
  readonly limits: Used;
}

/** Whose a model is, and one version of it where one was asked for. */
export interface ModelOwners {
  readonly model: Ownership;
  readonly version: VersionOwners | undefined;
  /** The job whose result the version is said to be. */
  readonly jobId: string | undefined;
}

export type PublishResult =
  | { readonly kind: 'published' | 'same' | 'immutable'; readonly file: FileRecord }
  | { readonly kind: 'wrong-digest'; readonly expected: Digest }
  | { readonly kind: 'no-version' | 'expired' }
  | { readonly kind: 'over'; readonly used: Used };

/** What regions keep copies of. */
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
