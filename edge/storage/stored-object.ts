import { DurableObject } from 'cloudflare:workers';
import type { NotedClass, RestoredObject, StagedRows } from '../backup/contract/backup.ts';
import type { Env } from '../env.ts';
import { migrate } from './migrate.ts';
import { MAIN } from './remote.ts';
import { ObjectExport, type Read } from './export.ts';
import { type CommitResult, ObjectRestore, type StageResult } from './restore.ts';

/** What the caller of an object is told that ends because it was restored. */
export const RESTORED = 'The object begins anew, as it was restored.';

/** What a backup has to know of a class besides its tables. */
export interface BackedUp {
  /** Tables that are no part of a backup: on the platform it is restored to they stay as they are. */
  readonly leftOut?: readonly string[];
  /** Tables of which an object counts as empty with at most so many rows; what others hold comes by itself. */
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

  /** What has been restored is only read by an object that begins anew. */
  commitRows(restored: Omit<RestoredObject, 'object'>): Promise<CommitResult> {
    return this.ctx.blockConcurrencyWhile(async () => {
      const isFresh = !this.#restore.isRestored(restored.digest);
      const result = await this.#restore.commit(restored);
      if (result.kind === 'restored' && isFresh) this.ctx.abort(RESTORED);
      return result;
    });
  }

  /** Makes what follows from the rows and is no row itself, in the step that restores them. */
  protected derive(): void {}
}
