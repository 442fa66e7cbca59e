import type { AliasRecord, AliasTarget } from './contract/alias.ts';
import type { Lineage, LineageQuery } from './contract/lineage.ts';
import type {
  DeletionAnswer,
  Registration,
  VersionChoice,
  VersionPatch,
  VersionRecord,
} from './contract/model.ts';
import type { Env } from '../env.ts';
import { Outbox } from '../events/outbox.ts';
import { isBeyond, type Ownership, type Used } from '../http/ownership.ts';
import {
  type AliasDecision,
  aliasMoved,
  type CompleteVersions,
  type Conditions,
  decideDelete,
  decidePatch,
  type DeleteResult,
  type Deletion,
  type FileAddress,
  type FindResult,
  type ModelOwners,
  type PatchResult,
  type PublishResult,
  type RecordPage,
  registered,
  type RegisterResult,
  type Registrant,
  type RemoveAliasResult,
  type Resolved,
} from './changes.ts';
import { UploadHolder } from '../uploads/upload-holder.ts';
import { AliasStore } from './alias-store.ts';
import { LineageStore } from './lineage-store.ts';
import { lineageOf, type VersionRef } from './lineage.ts';
import { decidePublish, decideRegister, type NewFile, recordOf } from './machine.ts';
import type { ListQuery } from './query.ts';
import { REGISTRY_MIGRATIONS } from './schema.ts';
import { RegistryStore, versionFiles } from './store.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { queueDepth } from '../monitoring/sample.ts';

/** The team whose rows are visible; undefined for all teams. */
type Team = string | undefined;

/** Uploaded bytes in the bucket, and the limits of their sender. */
interface NewBytes {
  readonly objectKey: string;
  readonly limits: Used;
}

/**
 * The models, their versions and files.
 *
 * Storage is the only truth. `this` holds no state, so eviction needs no care.
 */
export class Registry extends UploadHolder {
  readonly #store: RegistryStore;
  readonly #lineage: LineageStore;
  readonly #aliases: AliasStore;
  readonly #outbox: Outbox;

  constructor(ctx: DurableObjectState, env: Env) {
    const store = new RegistryStore(ctx.storage.sql);
    super(ctx, env, {
      migrations: REGISTRY_MIGRATIONS,
      destination: versionFiles(store),
      mayHold: { models: 0, tombstones: 0 },
    });
    this.#store = store;
    this.#lineage = new LineageStore(ctx.storage.sql);
    this.#aliases = new AliasStore(ctx.storage.sql);
    this.#outbox = new Outbox(ctx.storage.sql, env);
  }

  register(requested: Registration, { whose, mayAnyTeam, limits }: Registrant): RegisterResult {
    const { model_id, version } = requested;
    const team = this.#store.teamOfId(model_id) ?? whose.team;
    if (team !== whose.team && !mayAnyTeam) return { kind: 'taken' };
    const used = this.#store.countOf(whose);
    const isNew = this.#store.defaultVersion(model_id) === undefined;
    if (isNew && isBeyond(limits, used)) return { kind: 'over', used };
    const deletedAt = this.#lineage.deletedAt({ modelId: model_id, version });
    if (deletedAt !== undefined) return { kind: 'deleted', deletedAt };
    const stored = this.#store.version(model_id, version);
    const seen = mayAnyTeam ? undefined : team;
    const defaultOf = (modelId: string) =>
      this.#sees(modelId, seen) ? this.#store.defaultVersion(modelId) : undefined;
    const now = new Date().toISOString();
    const decision = decideRegister(stored, requested, now, {
      defaultOf,
      whose: { ...whose, team },
    });
    if (decision.kind === 'refuse') return { kind: 'refused', differs: decision.differs };
    const record = recordOf(decision.version);
    if (decision.kind === 'same') return { kind: 'same', record };
    this.#store.addVersion(decision.version);
    this.#outbox.add(registered(record));
    return { kind: 'created', record };
  }

  /** A page of models, each by its default version; `start` is the `next` of the page before. */
  list(query: ListQuery, start: number): RecordPage {
    const { items, total, next } = this.#store.list(query, start);
    return { records: items.map(recordOf), total, next };
  }

  /** The owners of a model and of a version of it; undefined where there is no such model. */
  owners(modelId: string, version?: string): ModelOwners | undefined {
    const model = this.#store.ownership(modelId);
    const state = version === undefined ? undefined : this.#store.version(modelId, version);
    const { job_id: claimed, model_spec: spec } = state?.registration ?? {};
    const jobId = claimed ?? spec?.training_job_id ?? undefined;
    return model && { model, version: state?.whose, jobId };
  }

  /** The team that an id stays with; undefined where it is free. */
  teamOfId(modelId: string): string | undefined {
    return this.#store.teamOfId(modelId);
  }

  /** Those of the ids whose models belong to a team. */
  idsOf(team: string, ids: readonly string[]): readonly string[] {
    return ids.filter((id) => this.#sees(id, team));
  }

  /**
   * All versions of a model, highest first; none where a team, undefined for all of them, has no such
   * model: as everywhere below.
   */
  versions(modelId: string, team: Team): readonly VersionRecord[] {
    return this.#sees(modelId, team) ? this.#store.versions(modelId).map(recordOf) : [];
  }

  version({ modelId, version }: VersionRef, team: Team): VersionRecord | undefined {
    if (!this.#sees(modelId, team)) return undefined;
    const state = this.#store.version(modelId, version);
    return state && recordOf(state);
  }

  /** The version a request means: the one it names, the one of its alias, else the default one. */
  resolve(modelId: string, { version, alias }: VersionChoice, team: Team): Resolved {
    const highest = this.#store.defaultVersion(modelId);
    if (highest === undefined || !this.#sees(modelId, team)) return { kind: 'no-version' };
    if (alias !== undefined) {
      const stored = this.#aliases.get(modelId, alias);
      return stored ? { kind: 'found', version: stored.version } : { kind: 'no-alias' };
    }
    if (version === undefined) return { kind: 'found', version: highest };
    return this.#store.version(modelId, version)
      ? { kind: 'found', version }
      : { kind: 'no-version' };
  }

  lineage(root: VersionRef, walk: Pick<LineageQuery, 'direction' | 'depth'>, team: Team): Lineage {
    return lineageOf(root, this.#lineage.seenBy(team), walk);
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

  alias(modelId: string, alias: string, team: Team): AliasRecord | undefined {
    return this.#sees(modelId, team) ? this.#aliases.get(modelId, alias) : undefined;
  }

  setAlias(
    { modelId, alias }: { readonly modelId: string; readonly alias: string },
    { version }: AliasTarget,
    conditions: Conditions,
  ): AliasDecision | { readonly kind: 'no-version' } {
    const whose = this.#store.ownership(modelId);
    if (!whose || !this.#store.version(modelId, version)) return { kind: 'no-version' };
    const now = new Date().toISOString();
    const before = this.#aliases.get(modelId, alias)?.version ?? null;
    const requested = { model_id: modelId, alias, version, ...whose };
    const decision = this.#aliases.set(requested, conditions, now);
    const isSet = decision.kind === 'create' || decision.kind === 'move';
    const address = { modelId, alias, team: whose.team };
    if (isSet) this.#outbox.add(aliasMoved(address, { from: before, to: version }));
    return decision;
  }

  removeAlias(modelId: string, alias: string, conditions: Conditions): RemoveAliasResult {
    const team = this.#store.ownership(modelId)?.team;
    const result = this.#aliases.remove(modelId, alias, conditions);
    if (result.kind === 'removed') {
      const address = { modelId, alias, team };
      this.#outbox.add(aliasMoved(address, { from: result.version, to: null }));
    }
    return result;
  }

  /** Deletes a version with its files; its place in the lineage and its number stay reserved. */
  async deleteVersion({ modelId, version }: VersionRef, deletion: Deletion): Promise<DeleteResult> {
    const record = this.version({ modelId, version }, undefined);
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
    const records = this.versions(modelId, undefined);
    if (records.length === 0) return { kind: 'no-version' };
    const aliases = records.flatMap((record) => record.aliases);
    if (!isForced && aliases.length > 0) return { kind: 'in-use', aliases, isLast: false };
    return { kind: 'deleted', answer: await this.#deleteAll(modelId, records) };
  }

  countModels(team: Team): number {
    return this.#store.countModels(team);
  }

  /** Every complete version with the keys of its files; undefined where nothing changed since. */
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
  findFile({ modelId, filename, choice }: FileAddress, team: Team): FindResult {
    const resolved = this.resolve(modelId, choice, team);
    if (resolved.kind !== 'found') return resolved;
    const { version } = resolved;
    const stored = this.#store.file(modelId, version, filename);
    return stored ? { kind: 'found', version, stored } : { kind: 'no-file', version };
  }

  /** Makes a complete upload a file of its version, in one step. */
  publish(address: VersionRef, file: NewFile, { objectKey, limits }: NewBytes): PublishResult {
    const state = this.#store.version(address.modelId, address.version);
    if (!state) return { kind: 'no-version' };
    const decision = decidePublish(state, file, new Date().toISOString());
    if (decision.kind !== 'publish') return decision;
    const used = this.usedBytes(state.whose);
    if (isBeyond(limits, used, file.size_bytes)) return { kind: 'over', used };
    if (!this.finishUpload(objectKey)) return { kind: 'expired' };
    this.#store.addFile(address, decision.file, objectKey);
    const after = this.version(address, undefined);
    const isReady = after?.status === 'READY' && recordOf(state).status !== 'READY';
    if (isReady) this.#outbox.add(registered(after));
    return { kind: 'published', file: decision.file };
  }

  protected override storedBytes(whose: Ownership): Used {
    return this.#store.bytesOf(whose);
  }

  /** A report that fails is made up for by the next alarm. */
  protected override async report(): Promise<void> {
    const sample = queueDepth('registry', 'uploads', this.countUploads());
    await monitoringOf(this.env)
      .record([sample])
      .catch(() => {});
  }

  protected override reportDue(): number {
    return this.countUploads() > 0 ? Date.now() + this.env.METRICS_FLUSH_MS : Infinity;
  }

  #sees(modelId: string, team: Team): boolean {
    return team === undefined || this.#store.ownership(modelId)?.team === team;
  }

  async #deleteAll(modelId: string, records: readonly VersionRecord[]): Promise<DeletionAnswer> {
    const now = new Date().toISOString();
    const team = this.#store.ownership(modelId)?.team;
    const keys = records.flatMap(({ version, aliases }) => {
      this.#lineage.bury({ modelId, version }, now);
      for (const alias of aliases) {
        this.#outbox.add(aliasMoved({ modelId, alias, team }, { from: version, to: null }));
      }
      return this.#store.removeVersion(modelId, version);
    });
    await Promise.all([
      this.discard(keys.map((objectKey) => ({ objectKey, multipartId: null }))),
      ...records.map(({ version }) => this.endSessionsOf(modelId, version)),
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
