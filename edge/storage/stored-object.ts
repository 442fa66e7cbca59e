import { DurableObject } from 'cloudflare:workers';
import type { NotedClass, RestoredObject, StagedRows } from '../backup/contract/backup.ts';
import type { Env } from '../env.ts';
import { migrate } from './migrate.ts';
import { MAIN } from './remote.ts';
import { ObjectExport, type Read } from './export.ts';
import { type CommitResult, ObjectRestore, type StageResult } from './restore.ts';

/** The error that callers get when an object restarts after a restore. */
export const RESTORED = 'The object begins anew, as it was restored.';

/** Options of a class for its backup. */
export interface BackedUp {
  /** Tables that are no part of a backup: on the platform it is restored to they stay as they are. */
  readonly leftOut?: readonly string[];
  /**
   * Tables that are not empty in a new object, with the rows an empty one may have; tables not listed may
   * hold any.
   */
  readonly mayHold?: Readonly<Record<string, number>>;
}

/** Where backups look up the names of objects that nothing else knows: the gateway's object. */
export interface ObjectIndex {
  noteObject(kind: NotedClass, name: string): void;
}

/** An object with tables: they are brought to the newest form before it answers, backed up and restored. */
export abstract class StoredObject extends DurableObject<Env> {
  readonly #export: ObjectExport;
  readonly #restore: ObjectRestore;
  #known: Promise<void> | undefined;

  constructor(
    ctx: DurableObjectState,
    env: Env,
    migrations: readonly string[],
    { leftOut = [], mayHold = {} }: BackedUp = {},
  ) {
    super(ctx, env);
    const { storage } = ctx;
    migrate(storage, migrations);
    this.#export = new ObjectExport(storage, leftOut);
    const derive = () => this.derive();
    this.#restore = new ObjectRestore({ storage, migrations, leftOut, mayHold, derive });
  }

  /** Tells backups of an object whose name nothing else knows, before anything is stored; else nothing is. */
  protected makeKnown(kind: NotedClass): Promise<void> {
    this.#known ??= this.env.GATEWAY.getByName<ObjectIndex>(MAIN)
      .noteObject(kind, this.ctx.id.name ?? '')
      .catch((error: unknown) => {
        this.#known = undefined;
        throw error;
      });
    return this.#known;
  }

  /** A page of all rows, from the first where there is no cursor. */
  readRows(cursor: string | undefined): Promise<Read> {
    return this.#export.page(cursor);
  }

  stageRows(rows: Omit<StagedRows, 'object'>): StageResult {
    return this.#restore.stage(rows);
  }

  /** An object only reads restored rows when it starts. */
  commitRows(restored: Omit<RestoredObject, 'object'>): Promise<CommitResult> {
    return this.ctx.blockConcurrencyWhile(async () => {
      const isFresh = !this.#restore.isRestored(restored.digest);
      const result = await this.#restore.commit(restored);
      if (result.kind === 'restored' && isFresh) this.ctx.abort(RESTORED);
      return result;
    });
  }

  /** Derives the state that follows from restored rows, in the same transaction. */
  protected derive(): void {}
}
