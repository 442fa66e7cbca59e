import { audit } from '../access/audit.ts';
import type { DeletionAnswer } from './contract/model.ts';
import type { registryEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { preconditionOf } from '../http/conditional.ts';
import { teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import type { DeleteResult } from './changes.ts';
import { compare } from './compatibility.ts';
import { requireModelChange, requireVersionChange } from './model-access.ts';
import {
  changedSince,
  conditionsOf,
  modelIdOf,
  modelNotFound,
  registryOf,
  versionIn,
  versionOf,
} from './registry-stub.ts';

type Endpoints = typeof registryEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** GET /models/{id}/versions/{version} */
export async function getVersion(call: Handled<'getVersion'>): Promise<Response> {
  const [modelId, version] = [modelIdOf(call), versionIn(call)];
  const record = await registryOf(call.env).version({ modelId, version }, teamSeen(call.caller));
  if (!record) throw modelNotFound(modelId, version);
  const headers = { etag: record.etag, 'cache-control': 'no-cache' };
  const precondition = preconditionOf(call.request.headers, record.etag);
  if (precondition === 'failed') throw changedSince(`${modelId} ${version}`, record.etag);
  if (precondition === 'not-modified') return new Response(null, { status: 304, headers });
  return Response.json(record, { headers });
}

/** PATCH /models/{id}/versions/{version}: its description and tags. */
export async function changeVersion(call: Handled<'changeVersion'>): Reply<'changeVersion'> {
  const [modelId, version] = [modelIdOf(call), versionIn(call)];
  const conditions = conditionsOf(call.request);
  await requireVersionChange(call, modelId, version);
  const result = await registryOf(call.env).patchVersion(
    { modelId, version },
    call.body,
    conditions,
  );
  switch (result.kind) {
    case 'no-version':
      throw modelNotFound(modelId, version);
    case 'changed':
      throw changedSince(`${modelId} ${version}`, result.etag);
    case 'too-many-tags':
      throw tooMany('/tags', `the version would have ${result.count} tags, expected at most 32`);
    case 'patched':
      await audit(call, {
        action: 'version.update',
        target: `${modelId}@${version}`,
        detail: { fields: Object.keys(call.body) },
      });
  }
  return { status: 200, body: result.record, headers: { etag: result.record.etag } };
}

/** DELETE /models/{id}/versions/{version} */
export async function deleteVersion(call: Handled<'deleteVersion'>): Reply<'deleteVersion'> {
  const [modelId, version] = [modelIdOf(call), versionIn(call)];
  const isForced = call.query.force === 'true';
  await requireVersionChange(call, modelId, version);
  const result = await registryOf(call.env).deleteVersion(
    { modelId, version },
    { isForced, conditions: conditionsOf(call.request) },
  );
  const answer = deleted(result, modelId, version);
  await audit(call, {
    action: 'version.delete',
    target: `${modelId}@${version}`,
    detail: { force: isForced, aliases: answer.aliases, freed_bytes: answer.freed_bytes },
  });
  return { status: 200, body: answer };
}

/** DELETE /models/{id} */
export async function deleteModel(call: Handled<'deleteModel'>): Reply<'deleteModel'> {
  const modelId = modelIdOf(call);
  const isForced = call.query.force === 'true';
  await requireModelChange(call, modelId);
  const result = await registryOf(call.env).deleteModel(modelId, { isForced });
  const answer = deleted(result, modelId, undefined);
  await audit(call, {
    action: 'model.delete',
    target: modelId,
    detail: { force: isForced, versions: answer.versions, freed_bytes: answer.freed_bytes },
  });
  return { status: 200, body: answer };
}

/** GET /models/{id}/lineage */
export async function getLineage(call: Handled<'getLineage'>): Reply<'getLineage'> {
  const { direction, depth, ...choice } = call.query;
  const modelId = modelIdOf(call);
  const team = teamSeen(call.caller);
  const version = await versionOf(call.env, modelId, choice, team);
  const walk = { direction, depth };
  const body = await registryOf(call.env).lineage({ modelId, version }, walk, team);
  return { status: 200, body, headers: { 'cache-control': 'no-cache' } };
}

/** POST /models/{id}/compatibility */
export async function checkCompatibility(
  call: Handled<'checkCompatibility'>,
): Reply<'checkCompatibility'> {
  const modelId = modelIdOf(call);
  const team = teamSeen(call.caller);
  const version = await versionOf(call.env, modelId, call.query, team);
  const record = await registryOf(call.env).version({ modelId, version }, team);
  if (!record) throw modelNotFound(modelId, version);
  return { status: 200, body: compare(record, call.body) };
}

function deleted(
  result: DeleteResult,
  modelId: string,
  version: string | undefined,
): DeletionAnswer {
  const what = version === undefined ? modelId : `${modelId} ${version}`;
  switch (result.kind) {
    case 'deleted':
      return result.answer;
    case 'no-version':
      throw modelNotFound(modelId, version);
    case 'changed':
      throw changedSince(what, result.etag);
    case 'in-use': {
      const { aliases } = result;
      const why =
        aliases.length > 0
          ? `${aliases.join(', ')} ${aliases.length > 1 ? 'point' : 'points'} to it`
          : 'it is the last version of its model';
      throw new Problem('version_in_use', `${what} is not deleted: ${why}. force=true does.`, {
        members: { aliases },
      });
    }
  }
}

export function tooMany(pointer: string, detail: string): Problem {
  return new Problem('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'too_big', detail }],
  });
}
