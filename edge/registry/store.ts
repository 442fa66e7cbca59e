import type { Ownership, Used } from '../http/ownership.ts';
import { precedenceKey } from '../contract/semver.ts';
import { type Page, TableStore } from '../storage/table-store.ts';
import type { Destination } from '../uploads/sessions.ts';
import { contentTypeOf, type FileRecord } from './contract/model-file.ts';
import type { VersionRef } from './lineage.ts';
import { parentIn } from './lineage-store.ts';
import { decidePublish, type VersionState } from './machine.ts';
import { fold, type ListQuery, selectionOf } from './query.ts';

/** A file with the key of its bytes in the bucket. */
export interface StoredFile {
  readonly file: FileRecord;
  readonly objectKey: string;
}

/** The tables of models, versions and files. */
export class RegistryStore extends TableStore {
  version(modelId: string, version: string): VersionState | undefined {
    const row = this.row<VersionRow>`
      SELECT versions.*, models.team FROM versions JOIN models USING (model_id)
      WHERE model_id = ${modelId} AND version = ${version}`;
    return (
      row && {
        registration: JSON.parse(row.registration),
        description: row.description,
        tags: JSON.parse(row.tags),
        parent: parentIn(row),
        aliases: this.#aliasesOf(modelId, version),
        files: this.#filesOf(modelId, version).map(({ file }) => file),
        updatedAt: row.updated_at,
        whose: { owner: row.owner, team: row.team, createdBy: row.created_by },
      }
    );
  }

  /** Owner and team of a model; undefined where there is none. */
  ownership(modelId: string): Ownership | undefined {
    const query = 'SELECT owner, team FROM models WHERE model_id = ?';
    return this.row<{ owner: string; team: string }>(query, modelId);
  }

  /** The team that an id is reserved for: that of its model, also after all versions were deleted. */
  teamOfId(modelId: string): string | undefined {
    const row = this.row<{ team: string }>`SELECT team FROM models WHERE model_id = ${modelId}
      UNION ALL SELECT team FROM tombstones WHERE model_id = ${modelId} LIMIT 1`;
    return row?.team;
  }

  /** How many models an owner has, and the team. */
  countOf({ owner, team }: Ownership): Used {
    return this.usage`
      SELECT count(*) FILTER (WHERE owner = ${owner}) AS own, count(*) AS "all" FROM models
      WHERE team = ${team}`;
  }

  /** The bytes of the files of an owner's versions, and of those of the team. */
  bytesOf({ owner, team }: Ownership): Used {
    return this.usage`
      SELECT coalesce(sum(size_bytes) FILTER (WHERE versions.owner = ${owner}), 0) AS own,
        coalesce(sum(size_bytes), 0) AS "all"
      FROM models JOIN versions USING (model_id) JOIN files USING (model_id, version)
      WHERE models.team = ${team}`;
  }

  defaultVersion(modelId: string): string | undefined {
    const query = 'SELECT default_version FROM models WHERE model_id = ?';
    return this.row<{ default_version: string }>(query, modelId)?.default_version;
  }

  /** All versions of a model, highest first. */
  versions(modelId: string): readonly VersionState[] {
    const rows = this.rows<{ version: string }>`
      SELECT version FROM versions WHERE model_id = ${modelId}
      ORDER BY precedence DESC, version DESC`;
    return rows.flatMap(({ version }) => this.version(modelId, version) ?? []);
  }

  addVersion({ registration, parent, whose, ...version }: VersionState): void {
    const { model_id, name, model_type, framework } = registration;
    this.insert('versions', {
      model_id,
      version: registration.version,
      model_type,
      framework,
      precedence: precedenceKey(registration.version),
      name_folded: fold(name),
      registration: JSON.stringify(registration),
      updated_at: version.updatedAt,
      description: version.description,
      tags: JSON.stringify(version.tags),
      parent_model_id: parent?.modelId ?? null,
      parent_version: parent?.version ?? null,
      owner: whose.owner,
      created_by: whose.createdBy,
    });
    this.run`INSERT INTO models (model_id, default_version, owner, team)
      VALUES (${model_id}, ${registration.version}, ${whose.owner}, ${whose.team})
      ON CONFLICT (model_id) DO NOTHING`;
    this.#chooseDefault(model_id);
  }

  /** Writes the parts of a version that may change. */
  changeVersion({ registration, description, tags, updatedAt }: VersionState): void {
    const { model_id, version } = registration;
    this.run`UPDATE versions
      SET description = ${description}, tags = ${JSON.stringify(tags)}, updated_at = ${updatedAt}
      WHERE model_id = ${model_id} AND version = ${version}`;
  }

  /**
   * Removes a version with its aliases and files, and the model with its last version. Returns the
   * keys of the bytes that nothing names any more.
   */
  removeVersion(modelId: string, version: string): readonly string[] {
    const files = this.rows<{ object_key: string }>`
      DELETE FROM files WHERE model_id = ${modelId} AND version = ${version} RETURNING object_key`;
    for (const table of ['aliases', 'versions']) {
      this.run(`DELETE FROM ${table} WHERE model_id = ? AND version = ?`, modelId, version);
    }
    this.#chooseDefault(modelId);
    return files.map((row) => row.object_key);
  }

  countVersions(modelId: string): number {
    return this.value`SELECT count(*) FROM versions WHERE model_id = ${modelId}`;
  }

  /** Each model by one version, the latest registered model first. */
  list(query: ListQuery, start: number): Page<VersionState> {
    const columns = 'versions.model_id, versions.version';
    const selection = { columns, ...selectionOf(query) };
    const { limit } = query;
    const { items, ...page } = this.pageOf<{ model_id: string; version: string }>(selection, {
      limit,
      start,
    });
    const versions = items.flatMap((row) => this.version(row.model_id, row.version) ?? []);
    return { ...page, items: versions };
  }

  /** Changes whenever a version or its files change. */
  revision(): string {
    return this.value("SELECT count(*) || ' ' || coalesce(max(updated_at), 'null') FROM versions");
  }

  allVersions(): readonly VersionState[] {
    const rows = this.rows<{ model_id: string }>('SELECT model_id FROM models ORDER BY model_id');
    return rows.flatMap((row) => this.versions(row.model_id));
  }

  /** The models of a team, or of all where it is undefined. */
  countModels(team: string | undefined): number {
    return this.value`
      SELECT count(*) FROM models WHERE ${team ?? null} IS NULL OR team = ${team ?? null}`;
  }

  file(modelId: string, version: string, filename: string): StoredFile | undefined {
    return this.#filesOf(modelId, version).find(({ file }) => file.filename === filename);
  }

  addFile({ modelId, version }: VersionRef, file: FileRecord, objectKey: string): void {
    this.insert('files', { model_id: modelId, version, object_key: objectKey, ...file });
    this.run`UPDATE versions SET updated_at = ${file.created_at}
      WHERE model_id = ${modelId} AND version = ${version}`;
  }

  /**
   * Makes the highest of the versions that may be the default (`set_default`), and the present one, the
   * default; a model without versions is removed.
   */
  #chooseDefault(modelId: string): void {
    this.run`UPDATE models SET default_version = coalesce((SELECT version FROM versions
        WHERE model_id = ${modelId} ORDER BY
          json_extract(registration, '$.set_default') IS 0 AND version IS NOT default_version,
          precedence DESC, version DESC LIMIT 1), '')
      WHERE model_id = ${modelId}`;
    this.run`DELETE FROM models WHERE model_id = ${modelId} AND default_version = ''`;
  }

  #aliasesOf(modelId: string, version: string): readonly string[] {
    const rows = this.rows<{ alias: string }>`
      SELECT alias FROM aliases WHERE model_id = ${modelId} AND version = ${version} ORDER BY alias`;
    return rows.map(({ alias }) => alias);
  }

  #filesOf(modelId: string, version: string): readonly StoredFile[] {
    const rows = this.rows<FileRow>`
      SELECT filename, size_bytes, digest, content_type, created_at, object_key FROM files
      WHERE model_id = ${modelId} AND version = ${version} ORDER BY filename`;
    return rows.map(({ object_key: objectKey, ...file }) => ({ file, objectKey }));
  }
}

type VersionRow = Record<'registration' | 'description' | 'tags' | 'updated_at', string> &
  Record<'owner' | 'team' | 'created_by', string> &
  Record<'parent_model_id' | 'parent_version', string | null>;

type FileRow = { [K in keyof FileRecord]: FileRecord[K] } & { object_key: string };

/** Publishes complete resumable uploads as files of their versions. */
export const versionFiles = (store: RegistryStore): Destination => ({
  decide({ modelId, version, filename, lengthBytes, digest }) {
    const state = store.version(modelId, version);
    if (!state) return { kind: 'no-version' };
    const content_type = contentTypeOf(filename);
    const file = { filename, size_bytes: lengthBytes, digest, content_type };
    const decision = decidePublish(state, file, new Date().toISOString());
    return decision.kind === 'wrong-digest' ? { ...decision, digest } : decision;
  },
  publish(upload, file) {
    store.addFile(upload, file, upload.objectKey);
    return true;
  },
  find: ({ modelId, version, filename }) => store.file(modelId, version, filename)?.file,
});
