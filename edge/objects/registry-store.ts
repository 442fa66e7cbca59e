import type { FileRecord } from '../contract/model-file.ts';
import type { ModelQuery } from '../contract/model-list.ts';
import { compareVersions, precedenceKey } from '../contract/semver.ts';
import type { VersionState } from './registry-machine.ts';

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
      .exec<Row<'registration' | 'updated_at'>>(
        'SELECT registration, updated_at FROM versions WHERE model_id = ? AND version = ?',
        modelId,
        version,
      )
      .toArray();
    if (!row) return undefined;
    return {
      registration: JSON.parse(String(row.registration)),
      files: this.#files(modelId, version),
      updatedAt: String(row.updated_at),
    };
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

  addVersion({ registration, updatedAt }: VersionState): void {
    const { model_id, version, name, model_type, framework } = registration;
    this.#sql.exec(
      'INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      model_id,
      version,
      precedenceKey(version),
      fold(name),
      model_type,
      framework,
      JSON.stringify(registration),
      updatedAt,
    );
    const highest = this.defaultVersion(model_id);
    if (highest === undefined) {
      this.#sql.exec(
        'INSERT INTO models (model_id, default_version) VALUES (?, ?)',
        model_id,
        version,
      );
    } else if (compareVersions(version, highest) > 0) {
      this.#sql.exec('UPDATE models SET default_version = ? WHERE model_id = ?', version, model_id);
    }
  }

  /** Each model by its default version, the latest registered model first. */
  page(query: Omit<ModelQuery, 'cursor'>, before: number): Page {
    const { clauses, values } = filtersOf(query);
    const from = `FROM models JOIN versions ON versions.model_id = models.model_id
      AND versions.version = models.default_version WHERE ${clauses.join(' AND ')}`;
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total ${from}`, ...values)
      .one();
    const rows = this.#sql
      .exec<Row<'seq' | 'model_id' | 'version'>>(
        `SELECT seq, versions.model_id, version ${from} AND seq < ? ORDER BY seq DESC LIMIT ?`,
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

  countModels(): number {
    return this.#sql.exec<{ total: number }>('SELECT count(*) AS total FROM models').one().total;
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

  addFile({ registration }: VersionState, file: FileRecord, objectKey: string): void {
    const { model_id, version } = registration;
    const { filename, size_bytes, digest, content_type, created_at } = file;
    this.#sql.exec(
      'INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      model_id,
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
      model_id,
      version,
    );
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

function filtersOf({ name, model_type, framework, tag }: Omit<ModelQuery, 'cursor'>) {
  const clauses = ['1 = 1'];
  const values: string[] = [];
  const add = (clause: string, ...bound: readonly string[]) => {
    clauses.push(clause);
    values.push(...bound);
  };
  if (name !== undefined) add('instr(name_folded, ?) > 0', fold(name));
  if (model_type !== undefined) add('model_type = ?', model_type);
  if (framework !== undefined) add('framework = ?', framework);
  for (const wanted of tag) {
    const [key = '', ...value] = wanted.split(':');
    const hasTag =
      "EXISTS (SELECT 1 FROM json_each(registration, '$.tags') AS tag WHERE tag.key = ?";
    if (value.length === 0) add(`${hasTag})`, key);
    else add(`${hasTag} AND tag.value = ?)`, key, value.join(':'));
  }
  return { clauses, values };
}

/** Full-width and half-width forms, and the cases of letters, are one when searching. */
const fold = (text: string) => text.normalize('NFKC').toLowerCase();
