import type { ModelId, VersionRecord } from './contract/model.ts';
import { registryEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { allows } from '../http/caller.ts';
import { limitsOf, overQuota, ownerOf, ownershipOf, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { downloadFile } from './download.ts';
import { aliasNotFound, modelIdOf, modelNotFound, registryOf } from './registry-stub.ts';
import { idTaken } from './model-access.ts';
import { uploadFile } from './upload.ts';
import { trainingOf } from '../training/training-stub.ts';
import { deleteAlias, getAlias, setAlias } from './alias-routes.ts';
import {
  changeVersion,
  checkCompatibility,
  deleteModel,
  deleteVersion,
  getLineage,
  getVersion,
} from './version-routes.ts';

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
  const { body: registration, env, prefix, caller } = call;
  const { model_id: id, version } = registration;
  const quota = { quota: 'models', settings: env.QUOTAS } as const;
  const limits = limitsOf(caller, quota.quota, quota.settings);
  const registrant = { ...(await forWhom(call)), limits };
  const result = await registryOf(env).register(registration, registrant);
  if (result.kind === 'taken') throw idTaken(id);
  if (result.kind === 'over') throw overQuota(caller, { ...quota, used: result.used });
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
      `${id} ${version} was deleted at ${result.deletedAt}, and its number is not reused.`,
    );
  }
  const location = `${prefix}/models/${id}?version=${encodeURIComponent(version)}`;
  const status = result.kind === 'created' ? 201 : 200;
  return { status, body: result.record, headers: { location } };
}

/** The owner of a new version: the caller, or the owner of the job whose result it is. */
async function forWhom({ env, caller, body }: Handled<'registerModel'>) {
  const jobId = body.job_id ?? body.model_spec?.training_job_id ?? undefined;
  const result = jobId && (await trainingOf(env).resultOwnership(jobId, caller));
  const whose = { ...(result || ownershipOf(caller)), createdBy: ownerOf(caller) };
  return { whose, mayAnyTeam: !result && allows(caller, 'admin') };
}

async function listModels(call: Handled<'listModels'>): Reply<'listModels'> {
  const { env } = call;
  const { cursor, ...selected } = call.query;
  const query = { ...selected, team: teamSeen(call.caller) };
  const { limit: _, ...filters } = { ...query, tag: query.tag.toSorted() };
  const { records, total, next } = await registryOf(env).list(query, readCursor(cursor, filters));
  const body = { models: [...records], total, ...pageEnd(next, filters) };
  return { status: 200, body, headers: { 'cache-control': 'no-cache' } };
}

async function getModel(call: Handled<'getModel'>): Reply<'getModel'> {
  const { alias } = call.query;
  const id = modelIdOf(call);
  const version = call.query.version ?? (await defaultVersionOf(call, id));
  const records = await registryOf(call.env).versions(id, teamSeen(call.caller));
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

async function defaultVersionOf({ env, caller, query }: Handled<'getModel'>, id: ModelId) {
  if (query.alias !== undefined) return undefined;
  const resolved = await registryOf(env).resolve(id, {}, teamSeen(caller));
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
