import { DurableObject } from 'cloudflare:workers';
import type { Digest } from '../contract/digest.ts';
import type { FileRecord } from '../contract/model-file.ts';
import type { ModelQuery } from '../contract/model-list.ts';
import type { Registration, VersionRecord } from '../contract/model.ts';
import type { Env } from '../env.ts';
import { discardBytes } from '../registry/file-writer.ts';
import { migrate } from './migrate.ts';
import { decidePublish, decideRegister, type NewFile, recordOf } from './registry-machine.ts';
import { REGISTRY_MIGRATIONS } from './registry-schema.ts';
import { RegistryStore, type StoredFile } from './registry-store.ts';
import { type PendingUpload, UploadStore } from './upload-store.ts';

export type RegisterResult =
  | { readonly kind: 'created' | 'same'; readonly record: VersionRecord }
  | { readonly kind: 'refused'; readonly differs: readonly string[] };

export type PublishResult =
  | { readonly kind: 'published' | 'same' | 'immutable'; readonly file: FileRecord }
  | { readonly kind: 'wrong-digest'; readonly expected: Digest }
  | { readonly kind: 'no-version' | 'expired' };

export interface RecordPage {
  readonly records: readonly VersionRecord[];
  readonly total: number;
  readonly next: number | undefined;
}

export interface FileAddress {
  readonly modelId: string;
  /** The default version where there is none. */
  readonly version: string | undefined;
  readonly filename: string;
}

export interface VersionAddress {
  readonly modelId: string;
  readonly version: string;
}

export type FindResult =
  | { readonly kind: 'found'; readonly version: string; readonly stored: StoredFile }
  | { readonly kind: 'no-version' }
  | { readonly kind: 'no-file'; readonly version: string };

/** What is waited before a clearing that failed is tried again. */
const SWEEP_RETRY_MS = 60_000;

/**
 * The models, their versions and which bytes are whose. Bytes go to the bucket without passing
 * here: an upload is announced, written under a key of its own, and becomes visible by one row.
 *
 * Storage is the only truth. Nothing is kept on `this`, so eviction needs no care.
 */
export class Registry extends DurableObject<Env> {
  readonly #store: RegistryStore;
  readonly #uploads: UploadStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage, REGISTRY_MIGRATIONS);
    this.#store = new RegistryStore(ctx.storage.sql);
    this.#uploads = new UploadStore(ctx.storage.sql);
  }

  register(asked: Registration): RegisterResult {
    const stored = this.#store.version(asked.model_id, asked.version);
    const decision = decideRegister(stored, asked, new Date().toISOString());
    if (decision.kind === 'refuse') return { kind: 'refused', differs: decision.differs };
    if (decision.kind === 'create') this.#store.addVersion(decision.version);
    const kind = decision.kind === 'create' ? 'created' : 'same';
    return { kind, record: recordOf(decision.version) };
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

  /** The version a request means: the one it names, else the default one. */
  resolve(modelId: string, version: string | undefined): string | undefined {
    if (version === undefined) return this.#store.defaultVersion(modelId);
    return this.#store.version(modelId, version) && version;
  }

  countModels(): number {
    return this.#store.countModels();
  }

  /** A file of the version a request means. */
  findFile({ modelId, filename, ...asked }: FileAddress): FindResult {
    const version = this.resolve(modelId, asked.version);
    if (version === undefined) return { kind: 'no-version' };
    const stored = this.#store.file(modelId, version, filename);
    return stored ? { kind: 'found', version, stored } : { kind: 'no-file', version };
  }

  /** Announces bytes that are about to be written, so that they are cleared away if their writer dies. */
  async beginUpload(upload: PendingUpload): Promise<void> {
    this.#uploads.add(upload, Date.now());
    await this.#armSweep();
  }

  /** Makes a complete upload a file of its version, in one step. */
  publish({ modelId, version }: VersionAddress, file: NewFile, objectKey: string): PublishResult {
    const state = this.#store.version(modelId, version);
    if (!state) return { kind: 'no-version' };
    const decision = decidePublish(state, file, new Date().toISOString());
    if (decision.kind !== 'publish') return decision;
    if (!this.#uploads.finish(objectKey)) return { kind: 'expired' };
    this.#store.addFile(state, decision.file, objectKey);
    return { kind: 'published', file: decision.file };
  }

  /** Gives an upload up and deletes what was written of it. */
  async abandonUpload(objectKey: string): Promise<void> {
    const upload = this.#uploads.abandon(objectKey);
    if (upload) await this.#discard(upload);
  }

  /**
   * An alarm may fire late or twice: whatever has expired goes, and the next expiry is armed. It
   * does not fail, as the runtime gives up on alarms that do: what cannot be cleared is tried again.
   */
  override async alarm(): Promise<void> {
    const expired = this.#uploads.abandonBefore(Date.now() - this.#uploadTtlMs());
    const cleared = await Promise.allSettled(expired.map((upload) => this.#discard(upload)));
    const failures = cleared.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    );
    if (failures.length > 0) {
      console.error(JSON.stringify({ level: 'error', event: 'sweep_failed', failures }));
    }
    await this.#armSweep(failures.length > 0 ? Date.now() + SWEEP_RETRY_MS : 0);
  }

  async #discard(upload: PendingUpload): Promise<void> {
    await discardBytes(this.env.FILES, upload);
    this.#uploads.remove(upload);
  }

  async #armSweep(earliest = 0): Promise<void> {
    const oldest = this.#uploads.oldestAt();
    if (oldest === undefined) return;
    await this.ctx.storage.setAlarm(Math.max(oldest + this.#uploadTtlMs(), earliest));
  }

  #uploadTtlMs(): number {
    return this.env.UPLOAD_TTL_S * 1000;
  }
}
