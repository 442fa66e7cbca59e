import type { FileRecord } from './contract/model-file.ts';
import { precedenceKey } from '../contract/semver.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import { parentIn } from './ancestry.ts';
import type { VersionRef } from './lineage.ts';
import type { VersionState } from './machine.ts';
import { fold, type PageQuery, pageQueryOf } from './query.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

/** A file with the key of its bytes in the bucket. */
export interface StoredFile {
  readonly file: FileRecord;
  readonly objectKey: string;
}

export interface Page {
  readonly versions: readonly VersionState[];
  readonly total: number;
  /** Where the next page starts, or undefined after the last one. */
  readonly next: number | undefined;
}

/** The registry's tables, and the only place that knows SQL. Every method is one synchronous step. */
export class RegistryStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  version(modelId: string, version: string): VersionState | undefined {
    const [row] = this.#sql
      .exec<VersionRow>(
        `SELECT versions.*, models.team FROM versions JOIN models USING (model_id)
         WHERE model_id = ? AND version = ?`,
        modelId,
        version,
      )
      .toArray();
    if (!row) return undefined;
    return {
      registration: JSON.parse(String(row.registration)),
      description: String(row.description),
      tags: JSON.parse(String(row.tags)),
      parent: parentIn(row),
      aliases: this.#aliasesOf(modelId, version),
      files: this.#files(modelId, version),
      updatedAt: String(row.updated_at),
      whose: {
        owner: String(row.owner),
        team: String(row.team),
        createdBy: String(row.created_by),
      },
    };
  }

  /** Whose a model is; undefined where there is none. */
  ownership(modelId: string): Ownership | undefined {
    const [row] = this.#sql
      .exec<Row<'owner' | 'team'>>('SELECT owner, team FROM models WHERE model_id = ?', modelId)
      .toArray();
    return row && { owner: String(row.owner), team: String(row.team) };
  }

  /** The team that an id stays with: whose model it is, or was, as its numbers are never given again. */
  teamOfId(modelId: string): string | undefined {
    const [row] = this.#sql
      .exec<Row<'team'>>(
        `SELECT team FROM models WHERE model_id = ?1
         UNION ALL SELECT team FROM tombstones WHERE model_id = ?1 LIMIT 1`,
        modelId,
      )
      .toArray();
    return row && String(row.team);
  }

  /** How many models an owner has, and his team. */
  countOf({ owner, team }: Ownership): Used {
    return this.#used(
      `SELECT count(*) FILTER (WHERE owner = ?) AS own, count(*) AS "all" FROM models
       WHERE team = ?`,
      owner,
      team,
    );
  }

  /** How many bytes the files of an owner's versions have, and those of his team. */
  bytesOf({ owner, team }: Ownership): Used {
    return this.#used(
      `SELECT coalesce(sum(size_bytes) FILTER (WHERE versions.owner = ?), 0) AS own,
         coalesce(sum(size_bytes), 0) AS "all"
       FROM models JOIN versions USING (model_id) JOIN files USING (model_id, version)
       WHERE models.team = ?`,
      owner,
      team,
    );
  }

  #used(query: string, ...values: readonly string[]): Used {
    const { own, all } = this.#sql.exec<Row<'own' | 'all'>>(query, ...values).one();
    return { owner: Number(own), team: Number(all) };
  }

  defaultVersion(modelId: string): string | undefined {
    const [row] = this.#sql
      .exec<Row<'default_version'>>(
        'SELECT default_version FROM models WHERE model_id = ?',
        modelId,
      )
      .toArray();
    return row && String(row.default_version);
  }

  /** All versions of a model, highest first. */
  versions(modelId: string): readonly VersionState[] {
    return this.#sql
      .exec<Row<'version'>>(
        'SELECT version FROM versions WHERE model_id = ? ORDER BY precedence DESC, version DESC',
        modelId,
      )
      .toArray()
      .flatMap((row) => this.version(modelId, String(row.version)) ?? []);
  }

  addVersion({ registration, parent, whose, ...version }: VersionState): void {
    const { model_id, name, model_type, framework } = registration;
    this.#sql.exec(
      `INSERT INTO versions (model_id, version, precedence, name_folded, model_type, framework,
         registration, updated_at, description, tags, parent_model_id, parent_version, owner,
         created_by)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      model_id,
      registration.version,
      precedenceKey(registration.version),
      fold(name),
      model_type,
      framework,
      JSON.stringify(registration),
      version.updatedAt,
      version.description,
      JSON.stringify(version.tags),
      parent?.modelId ?? null,
      parent?.version ?? null,
      whose.owner,
      whose.createdBy,
    );
    this.#sql.exec(
      `INSERT INTO models (model_id, default_version, owner, team) VALUES (?, ?, ?, ?)
       ON CONFLICT (model_id) DO NOTHING`,
      model_id,
      registration.version,
      whose.owner,
      whose.team,
    );
    this.#chooseDefault(model_id);
  }

  /** Writes what may change of a version. */
  changeVersion({ registration, description, tags, updatedAt }: VersionState): void {
    this.#sql.exec(
      `UPDATE versions SET description = ?, tags = ?, updated_at = ?
       WHERE model_id = ? AND version = ?`,
      description,
      JSON.stringify(tags),
      updatedAt,
      registration.model_id,
      registration.version,
    );
  }

  /**
   * Takes a version away with its aliases and files; with its last version goes the model. Returns
   * the keys of the bytes that nobody needs any more.
   */
  removeVersion(modelId: string, version: string): readonly string[] {
    const files = this.#sql
      .exec<Row<'object_key'>>(
        'DELETE FROM files WHERE model_id = ? AND version = ? RETURNING object_key',
        modelId,
        version,
      )
      .toArray();
    for (const table of ['aliases', 'versions']) {
      this.#sql.exec(`DELETE FROM ${table} WHERE model_id = ? AND version = ?`, modelId, version);
    }
    this.#chooseDefault(modelId);
    return files.map((row) => String(row.object_key));
  }

  countVersions(modelId: string): number {
    return this.#sql
      .exec<{ total: number }>('SELECT count(*) AS total FROM versions WHERE model_id = ?', modelId)
      .one().total;
  }

  /** Each model by one version, the latest registered model first. */
  page(query: PageQuery, before: number): Page {
    const { from, values } = pageQueryOf(query);
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total ${from}`, ...values)
      .one();
    const rows = this.#sql
      .exec<Row<'seq' | 'model_id' | 'version'>>(
        `SELECT seq, versions.model_id, versions.version ${from} AND seq < ?
         ORDER BY seq DESC LIMIT ?`,
        ...values,
        before,
        query.limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, query.limit);
    return {
      versions: shown.flatMap(
        (row) => this.version(String(row.model_id), String(row.version)) ?? [],
      ),
      total,
      next: rows.length > shown.length ? Number(shown.at(-1)?.seq) : undefined,
    };
  }

  /** Is another one whenever a version or its files changed. */
  revision(): string {
    const { count, latest } = this.#sql
      .exec<Row<'count' | 'latest'>>(
        'SELECT count(*) AS count, max(updated_at) AS latest FROM versions',
      )
      .one();
    return `${Number(count)} ${String(latest)}`;
  }

  /** Every version there is. */
  allVersions(): readonly VersionState[] {
    return this.#sql
      .exec<Row<'model_id'>>('SELECT model_id FROM models ORDER BY model_id')
      .toArray()
      .flatMap((row) => this.versions(String(row.model_id)));
  }

  /** Those of a team, or all where none is named. */
  countModels(team: string | undefined): number {
    const query = 'SELECT count(*) AS total FROM models WHERE ?1 IS NULL OR team = ?1';
    return this.#sql.exec<{ total: number }>(query, team ?? null).one().total;
  }

  file(modelId: string, version: string, filename: string): StoredFile | undefined {
    const [row] = this.#sql
      .exec<FileRow>(
        'SELECT * FROM files WHERE model_id = ? AND version = ? AND filename = ?',
        modelId,
        version,
        filename,
      )
      .toArray();
    return row && { file: fileOf(row), objectKey: String(row.object_key) };
  }

  addFile({ modelId, version }: VersionRef, file: FileRecord, objectKey: string): void {
    const { filename, size_bytes, digest, content_type, created_at } = file;
    this.#sql.exec(
      'INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      modelId,
      version,
      filename,
      size_bytes,
      digest,
      content_type,
      objectKey,
      created_at,
    );
    this.#sql.exec(
      'UPDATE versions SET updated_at = ? WHERE model_id = ? AND version = ?',
      created_at,
      modelId,
      version,
    );
  }

  /**
   * The default version is the highest of those that may take its place (`set_default`), itself
   * among them; a model without versions is none.
   */
  #chooseDefault(modelId: string): void {
    this.#sql.exec(
      `UPDATE models SET default_version = coalesce((SELECT version FROM versions
         WHERE model_id = ?1 ORDER BY
           json_extract(registration, '$.set_default') IS 0 AND version IS NOT default_version,
           precedence DESC, version DESC LIMIT 1), '')
       WHERE model_id = ?1`,
      modelId,
    );
    this.#sql.exec("DELETE FROM models WHERE model_id = ? AND default_version = ''", modelId);
  }

  #aliasesOf(modelId: string, version: string): readonly string[] {
    return this.#sql
      .exec<Row<'alias'>>(
        'SELECT alias FROM aliases WHERE model_id = ? AND version = ? ORDER BY alias',
        modelId,
        version,
      )
      .toArray()
      .map((row) => String(row.alias));
  }

  #files(modelId: string, version: string): readonly FileRecord[] {
    return this.#sql
      .exec<FileRow>(
        'SELECT * FROM files WHERE model_id = ? AND version = ? ORDER BY filename',
        modelId,
        version,
      )
      .toArray()
      .map(fileOf);
  }
}

type VersionRow = Row<
  | 'registration'
  | 'description'
  | 'tags'
  | 'parent_model_id'
  | 'parent_version'
  | 'updated_at'
  | 'owner'
  | 'team'
  | 'created_by'
>;

type FileRow = Row<
  'filename' | 'size_bytes' | 'digest' | 'content_type' | 'object_key' | 'created_at'
>;

function fileOf(row: FileRow): FileRecord {
  return {
    filename: String(row.filename),
    size_bytes: Number(row.size_bytes),
    // Only digests are written to this column.
    digest: String(row.digest) as FileRecord['digest'],
    content_type: String(row.content_type),
    created_at: String(row.created_at),
  };
}
