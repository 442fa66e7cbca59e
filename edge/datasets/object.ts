import type { DatasetRecord } from './contract/dataset.ts';
import type { Env } from '../env.ts';
import { isBeyond, type Ownership, type Used } from '../http/ownership.ts';
import { trainingOf } from '../training/training-stub.ts';
import { DATASETS_MIGRATIONS, DatasetStore } from './store.ts';
import { UploadHolder } from '../uploads/upload-holder.ts';
import type { FileRecord } from '../registry/contract/model-file.ts';
import { readMetadata } from '../uploads/contract/tus.ts';
import { PartHolders, PartStore, type StoredPart } from './part-store.ts';
import type { UploadSession } from '../uploads/machine.ts';
import type { Destination } from '../uploads/sessions.ts';

/** Parts that one alarm examines. */
const SLICE = 256;

/** The team whose rows are visible; undefined for all teams. */
type Team = string | undefined;

/** A dataset with its parts, in order. */
interface StoredDataset {
  readonly record: DatasetRecord;
  readonly parts: readonly StoredPart[];
}

/** A new part with its holder and the holder's limits; null where an administrator sent it. */
interface NewPart extends StoredPart {
  readonly holder: Ownership | null;
  readonly limits: Used;
}

type AddPartResult =
  | { readonly kind: 'added' | 'same' | 'expired' }
  | { readonly kind: 'over'; readonly used: Used };

type AddDatasetResult =
  | { readonly kind: 'created' | 'same' | 'exists'; readonly record: DatasetRecord }
  | { readonly kind: 'missing'; readonly digests: readonly string[] }
  | { readonly kind: 'over'; readonly used: Used };

/**
 * The datasets, and the parts of datasets, checkpoints and deltas. Each part is written under a key of its
 * own that is never reused. Parts that were recently sent or asked for are retained; older ones that
 * neither a dataset nor a job names are deleted.
 *
 * Storage is the only truth. `this` holds no state, so eviction needs no care.
 */
export class Datasets extends UploadHolder {
  readonly #parts: PartStore;
  readonly #datasets: DatasetStore;
  readonly #holders: PartHolders;

  constructor(ctx: DurableObjectState, env: Env) {
    const { sql } = ctx.storage;
    const [datasets, parts, holders] = [
      new DatasetStore(sql),
      new PartStore(sql),
      new PartHolders(sql),
    ];
    super(ctx, env, {
      migrations: DATASETS_MIGRATIONS,
      destination: wholeDatasets(datasets, parts, holders),
      mayHold: { datasets: 0, parts: 0 },
    });
    this.#datasets = datasets;
    this.#parts = parts;
    this.#holders = holders;
  }

  /** Those of the digests that exist for a team, each once; they are retained for a while from now on. */
  touchParts(digests: readonly string[], team: Team): readonly StoredPart[] {
    return this.#parts.touch(digests, Date.now(), team);
  }

  part(digest: string, team: Team): StoredPart | undefined {
    return this.#parts.get(digest, team);
  }

  /** Gives parts to the owner of what consists of them. */
  giveParts(digests: readonly string[], whose: Ownership): void {
    this.ctx.storage.transactionSync(() => this.#holders.give(digests, whose));
  }

  /** Makes bytes that were written a part, unless others sent the same before. */
  async addPart({ holder, limits, ...part }: NewPart): Promise<AddPartResult> {
    const now = Date.now();
    const used = holder ? this.usedBytes(holder) : { owner: 0, team: 0 };
    if (isBeyond(limits, used, part.sizeBytes)) return { kind: 'over', used };
    const isThere = this.#parts.touch([part.digest], now, undefined).length > 0;
    if (!isThere && !this.finishUpload(part.objectKey)) return { kind: 'expired' };
    this.ctx.storage.transactionSync(() => {
      if (!isThere) this.#parts.add(part, now);
      if (holder) this.#holders.give([part.digest], holder);
    });
    await this.arm();
    return { kind: isThere ? 'same' : 'added' };
  }

  /** Creates a dataset from parts that exist for a team, atomically. A name stands for one content. */
  addDataset(
    record: DatasetRecord,
    digests: readonly string[],
    { seen, limits }: { readonly seen: Team; readonly limits: Used },
  ): AddDatasetResult {
    const existing = this.#datasets.get(record.name);
    if (existing) {
      return { kind: existing.digest === record.digest ? 'same' : 'exists', record: existing };
    }
    const used = this.#datasets.countOf(record);
    if (isBeyond(limits, used)) return { kind: 'over', used };
    const there = new Set(this.touchParts(digests, seen).map(({ digest }) => String(digest)));
    const missing = digests.filter((digest) => !there.has(digest));
    if (missing.length > 0) return { kind: 'missing', digests: missing };
    this.ctx.storage.transactionSync(() => {
      this.#datasets.add(record, digests);
      this.#holders.give(digests, record);
    });
    return { kind: 'created', record };
  }

  /** A dataset of a team, or of any where none is named. */
  dataset(name: string, team: Team): DatasetRecord | undefined {
    const record = this.#datasets.get(name);
    return team === undefined || record?.team === team ? record : undefined;
  }

  /** How many datasets an owner has, and the team. */
  countOf(whose: Ownership): Used {
    return this.#datasets.countOf(whose);
  }

  datasetWithParts(name: string, team: Team): StoredDataset | undefined {
    const record = this.dataset(name, team);
    return record && { record, parts: this.#datasets.parts(name) };
  }

  datasets(team: Team): readonly DatasetRecord[] {
    return this.#datasets.all(team);
  }

  /**
   * Removes a dataset; false where this owner has none of that name any more. Its parts are deleted once
   * nothing has asked for them for a while.
   */
  removeDataset(name: string, { owner, team }: Ownership): boolean {
    const record = this.#datasets.get(name);
    if (record?.team !== team || record.owner !== owner) return false;
    this.ctx.storage.transactionSync(() => {
      this.#holders.release(name, team);
      this.#datasets.remove(name);
    });
    return true;
  }

  /** Examines the oldest parts: those that are named are touched, the others deleted. */
  protected override async sweep(): Promise<readonly string[]> {
    const before = Date.now() - this.#partsTtlMs();
    const old = this.#parts.untouchedSince(before, SLICE);
    if (old.length === 0) return [];
    const named = new Set([
      ...(await trainingOf(this.env).namedParts(old)),
      // Checked last, to include datasets created while the jobs were queried.
      ...this.#datasets.named(old),
    ]);
    this.#parts.touch([...named], Date.now(), undefined);
    // A part touched while the jobs were queried is about to be named, and is retained.
    const gone = this.#parts.remove(
      old.filter((digest) => !named.has(digest)),
      before,
    );
    this.#holders.forget(gone.map(({ digest }) => digest));
    const uploads = gone.map(({ objectKey }) => ({ objectKey, multipartId: null }));
    return this.discard(uploads);
  }

  protected override sweepDue(): number {
    const oldest = this.#parts.oldestAt();
    return oldest === undefined ? Infinity : oldest + this.#partsTtlMs();
  }

  protected override storedBytes(whose: Ownership): Used {
    return this.#holders.used(whose);
  }

  #partsTtlMs(): number {
    return this.env.PARTS_TTL_S * 1000;
  }
}

const BYTES = 'application/octet-stream';

/**
 * Commits complete uploads as datasets of one part of any size. A session's `modelId` is the name of its
 * dataset, and its `version` the sender, as in uploads from before sessions had an owner.
 */
const wholeDatasets = (
  datasets: DatasetStore,
  parts: PartStore,
  holders: PartHolders,
): Destination => ({
  decide({ modelId: name, team, lengthBytes, digest, metadata }) {
    const existing = datasets.get(name);
    if (existing) {
      const isSame = existing.team === team && existing.digest === digest;
      const kind = isSame ? 'same' : 'immutable';
      return { kind, file: fileOf(existing) };
    }
    const content_type = readMetadata(metadata)?.get('filetype') || BYTES;
    const created_at = new Date().toISOString();
    const file = { filename: name, size_bytes: lengthBytes, digest, content_type, created_at };
    return { kind: 'publish', file };
  },
  publish({ objectKey, version: created_by, team, digest }, file) {
    const now = Date.now();
    const isKnown = parts.touch([digest], now, undefined).length > 0;
    if (!isKnown) parts.add({ digest, sizeBytes: file.size_bytes, objectKey }, now);
    const { filename: name, size_bytes, content_type, created_at } = file;
    const whose = { owner: created_by, team };
    const record = { name, digest, size_bytes, content_type, created_by, ...whose, created_at };
    datasets.add(record, [digest]);
    holders.give([digest], whose);
    return !isKnown;
  },
  find({ modelId: name, team, digest }: UploadSession) {
    const record = datasets.get(name);
    return record?.team === team && record.digest === digest ? fileOf(record) : undefined;
  },
});

const fileOf = ({ name, ...record }: DatasetRecord): FileRecord => ({
  filename: name,
  size_bytes: record.size_bytes,
  digest: record.digest,
  content_type: record.content_type,
  created_at: record.created_at,
});
