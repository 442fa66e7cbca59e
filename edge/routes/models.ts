import type { ModelId, VersionRecord } from '../contract/model.ts';
import { registryEndpoints } from '../contract/registry-endpoints.ts';
import type { Env } from '../env.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { downloadFile } from '../registry/download.ts';
import { aliasNotFound, modelIdOf, modelNotFound, registryOf } from '../registry/registry-stub.ts';
import { uploadFile } from '../registry/upload.ts';
import { deleteAlias, getAlias, setAlias } from './aliases.ts';
import {
  changeVersion,
  checkCompatibility,
  deleteModel,
  deleteVersion,
  getLineage,
  getVersion,
} from './versions.ts';

type Endpoints = typeof registryEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /models: versions of models, and their files. */
export const modelRoutes = routesOf<Env, Endpoints>(registryEndpoints, {
  registerModel,
  listModels,
  getModel,
  deleteModel,
  getVersion,
  changeVersion,
  deleteVersion,
  getAlias,
  setAlias,
  deleteAlias,
  getLineage,
  checkCompatibility,
  uploadFile,
  downloadFile,
});

async function registerModel(call: Handled<'registerModel'>): Reply<'registerModel'> {
  const { body: registration, env, prefix } = call;
  const { model_id: id, version } = registration;
  const result = await registryOf(env).register(registration);
  if (result.kind === 'refused') {
    throw new Problem(
      'version_immutable',
      `${id} ${version} is registered already, with another ${result.differs.join(', ')}.`,
      { members: { differs: result.differs } },
    );
  }
  if (result.kind === 'deleted') {
    throw new Problem(
      'version_immutable',
      `${id} ${version} was deleted at ${result.deletedAt}, and its number is not given again.`,
    );
  }
  const location = `${prefix}/models/${id}?version=${encodeURIComponent(version)}`;
  const status = result.kind === 'created' ? 201 : 200;
  return { status, body: result.record, headers: { location } };
}

async function listModels({ query: asked, env }: Handled<'listModels'>): Reply<'listModels'> {
  const { cursor, ...query } = asked;
  const { limit: _, ...filters } = { ...query, tag: query.tag.toSorted() };
  const { records, total, next } = await registryOf(env).list(query, readCursor(cursor, filters));
  const body = { models: [...records], total, ...pageEnd(next, filters) };
  return { status: 200, body, headers: { 'cache-control': 'no-cache' } };
}

async function getModel(call: Handled<'getModel'>): Reply<'getModel'> {
  const { alias } = call.query;
  const id = modelIdOf(call);
  const version = call.query.version ?? (await defaultVersionOf(call.env, id, alias));
  const records = await registryOf(call.env).versions(id);
  const isShown = (record: VersionRecord) =>
    alias === undefined ? record.version === version : record.aliases.includes(alias);
  const shown = records.find(isShown);
  if (!shown) {
    throw alias !== undefined && records.length > 0
      ? aliasNotFound(id, alias)
      : modelNotFound(id, version);
  }
  const body = { ...shown, versions: records.map(summaryOf) };
  return { status: 200, body, headers: { 'cache-control': 'no-cache' } };
}

async function defaultVersionOf(env: Env, id: ModelId, alias: string | undefined) {
  if (alias !== undefined) return undefined;
  const resolved = await registryOf(env).resolve(id, {});
  return resolved.kind === 'found' ? resolved.version : undefined;
}

const summaryOf = (record: VersionRecord) => ({
  version: record.version,
  status: record.status,
  created_at: record.created_at,
  updated_at: record.updated_at,
  total_size_bytes: record.total_size_bytes,
  aliases: record.aliases,
});
