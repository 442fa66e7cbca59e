import type { Env } from '../env.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { queueDepth } from '../monitoring/queue-depth.ts';
import { contentTypeOf } from './content-type.ts';
import { AnnouncedUploads } from '../uploads/announced.ts';
import { decidePublish } from './machine.ts';
import type { RegistryStore } from './store.ts';
import type { Commit, UploadSession } from '../uploads/machine.ts';
import {
  type Destination,
  type NewSession,
  type SessionResult,
  UploadSessions,
} from '../uploads/sessions.ts';
import type { PendingUpload } from '../uploads/store.ts';

/** What is waited before a clearing that failed is tried again. */
const SWEEP_RETRY_MS = 60_000;

export interface RegistryUploadsParts {
  readonly storage: DurableObjectStorage;
  readonly env: Env;
  readonly files: RegistryStore;
}

/** Complete uploads become files of their versions. */
const versionFiles = (files: RegistryStore): Destination => ({
  decide({ modelId, version, filename, lengthBytes, digest }) {
    const state = files.version(modelId, version);
    if (!state) return { kind: 'no-version' };
    const content_type = contentTypeOf(filename);
    const file = { filename, size_bytes: lengthBytes, digest, content_type };
    const decision = decidePublish(state, file, new Date().toISOString());
    return decision.kind === 'wrong-digest' ? { ...decision, digest } : decision;
  },
  publish(upload, file) {
    files.addFile(upload, file, upload.objectKey);
    return true;
  },
  find: ({ modelId, version, filename }) => files.file(modelId, version, filename)?.file,
});

/** Bytes on their way to be files of the registry, and the clearing away of those nobody needs. */
export class RegistryUploads {
  readonly sessions: UploadSessions;
  readonly #storage: DurableObjectStorage;
  readonly #env: Env;
  readonly #announced: AnnouncedUploads;

  constructor({ storage, env, files }: RegistryUploadsParts) {
    this.#storage = storage;
    this.#env = env;
    this.#announced = new AnnouncedUploads(storage.sql, env.FILES);
    this.sessions = new UploadSessions({
      sql: storage.sql,
      destination: versionFiles(files),
      bucket: env.FILES,
      discard: (upload) => this.clearAway([upload]),
    });
  }

  /** Announces bytes that are about to be written, so that they are cleared away if their writer dies. */
  async begin(upload: PendingUpload): Promise<void> {
    this.#announced.begin(upload);
    await this.#arm();
  }

  /** Takes announced bytes off the list, as they are a file now; false where they were given up. */
  finish(objectKey: string): boolean {
    return this.#announced.finish(objectKey);
  }

  /** Gives an upload up and deletes what was written of it. */
  abandon(objectKey: string): Promise<void> {
    return this.#announced.abandon(objectKey);
  }

  async beginSession(session: NewSession): Promise<UploadSession> {
    const begun = this.sessions.begin(session, this.#sessionExpiry());
    await this.#arm();
    return begun;
  }

  commitSession(id: string, commit: Commit): Promise<SessionResult> {
    return this.sessions.commit(id, commit, this.#sessionExpiry());
  }

  /** Deletes bytes nobody needs any more; what cannot be deleted now, the next sweep tries again. */
  async clearAway(uploads: readonly PendingUpload[]): Promise<void> {
    this.#announced.list(uploads);
    await this.#arm();
    await this.#announced.discard(uploads);
  }

  /** Clears away what has expired, tells how much is under way, and arms the next alarm. */
  async sweep(): Promise<void> {
    const now = Date.now();
    const [announced, sessions] = await Promise.all([
      this.#announced.discardBefore(now - this.#announcedTtlMs()),
      this.sessions.sweep(now).then(
        () => [],
        (error: unknown) => [String(error)],
      ),
    ]);
    const failures = [...announced, ...sessions];
    if (failures.length > 0) {
      console.error(JSON.stringify({ level: 'error', event: 'sweep_failed', failures }));
    }
    await this.#report();
    await this.#arm(failures.length > 0 ? Date.now() + SWEEP_RETRY_MS : 0);
  }

  #underWay(): number {
    return this.#announced.countUnderWay() + this.sessions.countUnderWay();
  }

  /** Where this fails, the next alarm tells it. */
  async #report(): Promise<void> {
    const sample = queueDepth('registry', 'uploads', this.#underWay());
    await monitoringOf(this.#env)
      .record([sample])
      .catch(() => {});
  }

  /** Sets the alarm to what is due next: something expires, or the depth of the queue is told. */
  async #arm(earliestSweep = 0): Promise<void> {
    const oldest = this.#announced.oldestAt();
    const expiries = [
      ...(oldest === undefined ? [] : [oldest + this.#announcedTtlMs()]),
      ...this.sessions.nextDue(),
    ];
    const report = this.#underWay() > 0 ? [Date.now() + this.#env.METRICS_FLUSH_MS] : [];
    const next = Math.min(Math.max(Math.min(...expiries), earliestSweep), ...report);
    // While uploads keep coming, the alarm must not move away from them.
    const armed = (await this.#storage.getAlarm()) ?? Infinity;
    if (next < armed) await this.#storage.setAlarm(next);
  }

  #sessionExpiry(): number {
    return Date.now() + this.#env.RESUMABLE_TTL_S * 1000;
  }

  #announcedTtlMs(): number {
    return this.#env.UPLOAD_TTL_S * 1000;
  }
}
