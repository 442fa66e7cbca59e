import type { AliasRecord, AliasTarget } from '../contract/alias.ts';
import type { Lineage, LineageQuery } from '../contract/lineage.ts';
import type { ModelQuery } from '../contract/model-list.ts';
import type {
  DeletionAnswer,
  Registration,
  VersionChoice,
  VersionPatch,
  VersionRecord,
} from '../contract/model.ts';
import type { Env } from '../env.ts';
import { Outbox } from '../events/outbox.ts';
import { aliasMoved, registered } from '../registry/model-events.ts';
import { StoredObject } from './stored-object.ts';
import { forgetUploads } from './upload-session-store.ts';
import { AliasStore } from './registry-aliases.ts';
import { AncestryStore } from './registry-ancestry.ts';
import {
  type AliasDecision,
  type Conditions,
  decideDelete,
  decidePatch,
} from './registry-changes.ts';
import { lineageOf, type VersionRef } from './registry-lineage.ts';
import { decidePublish, decideRegister, type NewFile, recordOf } from './registry-machine.ts';
import { REGISTRY_MIGRATIONS } from './registry-schema.ts';
import type {
  CompleteVersions,
  DeleteResult,
  Deletion,
  FileAddress,
  FindResult,
  PatchResult,
  PublishResult,
  RecordPage,
  RegisterResult,
  RemoveAliasResult,
  Resolved,
} from './registry-results.ts';
import { RegistryStore } from './registry-store.ts';
import { RegistryUploads } from './registry-uploads.ts';
import type { Commit, UploadRef, UploadSession } from './upload-machine.ts';
import type { NewSession, SessionResult } from './upload-sessions.ts';
import type { PendingUpload } from './upload-store.ts';

/**
 * The models, their versions and which bytes are whose. Bytes go to the bucket without passing
 * here: an upload is announced, written under a key of its own, and becomes visible by one row.
 *
 * Storage is the only truth. Nothing is kept on `this`, so eviction needs no care.
 */
export class Registry extends StoredObject {
  readonly #store: RegistryStore;
  readonly #ancestry: AncestryStore;
  readonly #aliases: AliasStore;
  readonly #uploads: RegistryUploads;
  readonly #outbox: Outbox;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, REGISTRY_MIGRATIONS, { mayHold: { models: 0, tombstones: 0 } });
    this.#store = new RegistryStore(ctx.storage.sql);
    this.#ancestry = new AncestryStore(ctx.storage.sql);
    this.#aliases = new AliasStore(ctx.storage.sql);
    this.#uploads = new RegistryUploads({ storage: ctx.storage, env, files: this.#store });
    this.#outbox = new Outbox(ctx.storage.sql, env);
  }

  protected override derive(): void {
    forgetUploads(this.ctx.storage.sql);
  }

  register(asked: Registration): RegisterResult {
    const { model_id, version } = asked;
    const deletedAt = this.#ancestry.deletedAt({ modelId: model_id, version });
    if (deletedAt !== undefined) return { kind: 'deleted', deletedAt };
    const stored = this.#store.version(model_id, version);
    const defaultOf = (modelId: string) => this.#store.defaultVersion(modelId);
    const decision = decideRegister(stored, asked, new Date().toISOString(), defaultOf);
    if (decision.kind === 'refuse') return { kind: 'refused', differs: decision.differs };
    const record = recordOf(decision.version);
    if (decision.kind === 'same') return { kind: 'same', record };
    this.#store.addVersion(decision.version);
    this.#outbox.add(registered(record));
    return { kind: 'created', record };
  }

  /** A page of models, each by its default version; `before` is the `next` of the page before. */
  list(query: Omit<ModelQuery, 'cursor'>, before: number): RecordPage {
    const { versions, total, next } = this.#store.page(query, before);
    return { records: versions.map(recordOf), total, next };
  }

  /** All versions of a model, highest first; none where there is no such model. */
  versions(modelId: string): readonly VersionRecord[] {
    return this.#store.versions(modelId).map(recordOf);
  }

  version({ modelId, version }: VersionRef): VersionRecord | undefined {
    const state = this.#store.version(modelId, version);
    return state && recordOf(state);
  }

  /** The version a request means: the one it names, the one of its alias, else the default one. */
  resolve(modelId: string, { version, alias }: VersionChoice): Resolved {
    const highest = this.#store.defaultVersion(modelId);
    if (highest === undefined) return { kind: 'no-version' };
    if (alias !== undefined) {
      const stored = this.#aliases.get(modelId, alias);
      return stored ? { kind: 'found', version: stored.version } : { kind: 'no-alias' };
    }
    if (version === undefined) return { kind: 'found', version: highest };
    return this.#store.version(modelId, version)
      ? { kind: 'found', version }
      : { kind: 'no-version' };
  }

  lineage(root: VersionRef, walk: Pick<LineageQuery, 'direction' | 'depth'>): Lineage {
    return lineageOf(root, this.#ancestry, walk);
  }

  patchVersion(
    { modelId, version }: VersionRef,
    patch: VersionPatch,
    conditions: Conditions,
  ): PatchResult {
    const state = this.#store.version(modelId, version);
    if (!state) return { kind: 'no-version' };
    const now = new Date().toISOString();
    const decision = decidePatch(state, patch, { conditions, now });
    if (decision.kind === 'changed' || decision.kind === 'too-many-tags') return decision;
    if (decision.kind === 'patch') this.#store.changeVersion(decision.version);
    const kind = decision.kind === 'patch' ? 'patched' : 'same';
    return { kind, record: recordOf(decision.version) };
  }

  alias(modelId: string, alias: string): AliasRecord | undefined {
    return this.#aliases.get(modelId, alias);
  }

  setAlias(
    { modelId, alias }: { readonly modelId: string; readonly alias: string },
    { version }: AliasTarget,
    conditions: Conditions,
  ): AliasDecision | { readonly kind: 'no-version' } {
    if (!this.#store.version(modelId, version)) return { kind: 'no-version' };
    const now = new Date().toISOString();
    const before = this.#aliases.get(modelId, alias)?.version ?? null;
    const asked = { model_id: modelId, alias, version };
    const decision = this.#aliases.set(asked, conditions, now);
    const isSet = decision.kind === 'create' || decision.kind === 'move';
    if (isSet) this.#outbox.add(aliasMoved(modelId, alias, { from: before, to: version }));
    return decision;
  }

  removeAlias(modelId: string, alias: string, conditions: Conditions): RemoveAliasResult {
    const result = this.#aliases.remove(modelId, alias, conditions);
    if (result.kind === 'removed') {
      this.#outbox.add(aliasMoved(modelId, alias, { from: result.version, to: null }));
    }
    return result;
  }

  /** Deletes a version with its files; its place in the lineage and its number stay taken. */
  async deleteVersion({ modelId, version }: VersionRef, deletion: Deletion): Promise<DeleteResult> {
    const record = this.version({ modelId, version });
    if (!record) return { kind: 'no-version' };
    const isLast = this.#store.countVersions(modelId) === 1;
    const decision = decideDelete(record, { ...deletion, isLast });
    if (decision.kind !== 'delete') return decision;
    return { kind: 'deleted', answer: await this.#deleteAll(modelId, [record]) };
  }

  async deleteModel(
    modelId: string,
    { isForced }: Pick<Deletion, 'isForced'>,
  ): Promise<DeleteResult> {
    const records = this.versions(modelId);
    if (records.length === 0) return { kind: 'no-version' };
    const aliases = records.flatMap((record) => record.aliases);
    if (!isForced && aliases.length > 0) return { kind: 'in-use', aliases, isLast: false };
    return { kind: 'deleted', answer: await this.#deleteAll(modelId, records) };
  }

  countModels(): number {
    return this.#store.countModels();
  }

  /** Every complete version, with where its bytes lie; undefined where nothing changed since. */
  completeVersions(since: string): CompleteVersions | undefined {
    const revision = this.#store.revision();
    if (revision === since) return undefined;
    const versions = this.#store
      .allVersions()
      .filter((state) => recordOf(state).status === 'READY')
      .map(({ registration: { model_id: modelId, version }, files }) => ({
        modelId,
        version,
        files: files.flatMap(({ filename, digest, size_bytes }) => {
          const stored = this.#store.file(modelId, version, filename);
          return stored ? { digest, sizeBytes: size_bytes, objectKey: stored.objectKey } : [];
        }),
      }));
    return { revision, versions };
  }

  /** A file of the version a request means. */
  findFile({ modelId, filename, choice }: FileAddress): FindResult {
    const resolved = this.resolve(modelId, choice);
    if (resolved.kind !== 'found') return resolved;
    const { version } = resolved;
    const stored = this.#store.file(modelId, version, filename);
    return stored ? { kind: 'found', version, stored } : { kind: 'no-file', version };
  }

  /** Announces bytes that are about to be written, so that they are cleared away if their writer dies. */
  beginUpload(upload: PendingUpload): Promise<void> {
    return this.#uploads.begin(upload);
  }

  /** Makes a complete upload a file of its version, in one step. */
  publish(address: VersionRef, file: NewFile, objectKey: string): PublishResult {
    const state = this.#store.version(address.modelId, address.version);
    if (!state) return { kind: 'no-version' };
    const decision = decidePublish(state, file, new Date().toISOString());
    if (decision.kind !== 'publish') return decision;
    if (!this.#uploads.finish(objectKey)) return { kind: 'expired' };
    this.#store.addFile(address, decision.file, objectKey);
    const after = this.version(address);
    const isReady = after?.status === 'READY' && recordOf(state).status !== 'READY';
    if (isReady) this.#outbox.add(registered(after));
    return { kind: 'published', file: decision.file };
  }

  /** Gives an upload up and deletes what was written of it. */
  abandonUpload(objectKey: string): Promise<void> {
    return this.#uploads.abandon(objectKey);
  }

  /** Lists a resumable upload whose parts may come from now on. */
  beginSession(session: NewSession): Promise<UploadSession> {
    return this.#uploads.beginSession(session);
  }

  showSession(ref: UploadRef): Promise<SessionResult> {
    return this.#uploads.sessions.show(ref, Date.now());
  }

  /** Makes a request the only one that writes to an upload. */
  openSession(ref: UploadRef, offset: number): Promise<SessionResult> {
    return this.#uploads.sessions.open(ref, offset, Date.now());
  }

  reservePart(id: string, writer: number): number | undefined {
    return this.#uploads.sessions.reservePart(id, writer);
  }

  commitSession(id: string, commit: Commit): Promise<SessionResult> {
    return this.#uploads.commitSession(id, commit);
  }

  endSession(ref: UploadRef): Promise<boolean> {
    return this.#uploads.sessions.end(ref);
  }

  /**
   * An alarm may fire late or twice: whatever has expired goes, and the next alarm is set. It does
   * not fail, as the runtime gives up on alarms that do: what cannot be cleared is tried again.
   */
  override alarm(): Promise<void> {
    return this.#uploads.sweep();
  }

  async #deleteAll(modelId: string, records: readonly VersionRecord[]): Promise<DeletionAnswer> {
    const now = new Date().toISOString();
    const keys = records.flatMap(({ version, aliases }) => {
      this.#ancestry.bury({ modelId, version }, now);
      for (const alias of aliases) {
        this.#outbox.add(aliasMoved(modelId, alias, { from: version, to: null }));
      }
      return this.#store.removeVersion(modelId, version);
    });
    await Promise.all([
      this.#uploads.clearAway(keys.map((objectKey) => ({ objectKey, multipartId: null }))),
      ...records.map(({ version }) => this.#uploads.sessions.endThoseOf(modelId, version)),
    ]);
    return {
      status: 'deleted',
      model_id: modelId,
      versions: records.map(({ version }) => version),
      aliases: records.flatMap(({ aliases }) => aliases),
      deleted_files: keys.length,
      freed_bytes: records.reduce((sum, record) => sum + record.total_size_bytes, 0),
    };
  }
}
