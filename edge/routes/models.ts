import * as z from 'zod';
import { type ModelList, ModelQuery } from '../contract/model-list.ts';
import { type ModelDetails, Registration, type VersionRecord } from '../contract/model.ts';
import { Version } from '../contract/semver.ts';
import type { Env } from '../env.ts';
import { readJson } from '../http/body.ts';
import { parseBody, parseQuery } from '../http/parse.ts';
import { Problem } from '../http/problem.ts';
import type { Call, Route } from '../http/service.ts';
import { readCursor, writeCursor } from '../registry/cursor.ts';
import { downloadFile } from '../registry/download.ts';
import { modelIdOf, modelNotFound, registryOf } from '../registry/registry-stub.ts';
import { uploadFile } from '../registry/upload.ts';

/** /models: versions of models, and their files. */
export const modelRoutes: readonly Route<Env>[] = [
  { method: 'POST', path: '/models/register', handle: register },
  { method: 'GET', path: '/models', handle: list },
  { method: 'GET', path: '/models/:id', handle: show },
  { method: 'POST', path: '/models/:id/upload', handle: uploadFile },
  { method: 'GET', path: '/models/:id/download/:filename', handle: downloadFile },
];

async function register({ request, env, prefix }: Call<Env>): Promise<Response> {
  const registration = parseBody(Registration, await readJson(request));
  const { model_id: id, version } = registration;
  const result = await registryOf(env).register(registration);
  if (result.kind === 'refused') {
    throw new Problem(
      'version_immutable',
      `${id} ${version} is registered already, with another ${result.differs.join(', ')}.`,
      { members: { differs: result.differs } },
    );
  }
  const location = `${prefix}/models/${id}?version=${encodeURIComponent(version)}`;
  const status = result.kind === 'created' ? 201 : 200;
  return Response.json(result.record, { status, headers: { location } });
}

async function list({ url, env }: Call<Env>): Promise<Response> {
  const { cursor, ...query } = parseQuery(ModelQuery, url, ['tag']);
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(cursor, query);
  const { records, total, next } = await registryOf(env).list(query, before);
  const answer: ModelList = {
    models: [...records],
    total,
    has_more: next !== undefined,
    next_cursor: next === undefined ? null : writeCursor(next, query),
  };
  return Response.json(answer, { headers: { 'cache-control': 'no-cache' } });
}

const ShowQuery = z.strictObject({ version: z.optional(Version) });

async function show(call: Call<Env>): Promise<Response> {
  const asked = parseQuery(ShowQuery, call.url).version;
  const id = modelIdOf(call);
  const records = await registryOf(call.env).versions(id);
  const shown = asked === undefined ? records[0] : records.find(({ version }) => version === asked);
  if (!shown) throw modelNotFound(id, asked);
  const answer: ModelDetails = { ...shown, versions: records.map(summaryOf) };
  return Response.json(answer, { headers: { 'cache-control': 'no-cache' } });
}

const summaryOf = (record: VersionRecord) => ({
  version: record.version,
  status: record.status,
  created_at: record.created_at,
  updated_at: record.updated_at,
  total_size_bytes: record.total_size_bytes,
});
