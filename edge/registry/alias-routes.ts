import { audit } from '../access/audit.ts';
import { Alias, MAX_ALIASES } from './contract/alias.ts';
import type { ModelId } from './contract/model.ts';
import type { registryEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { requireModelChange } from './model-access.ts';
import {
  aliasNotFound,
  changedSince,
  conditionsOf,
  modelIdOf,
  modelNotFound,
  registryOf,
} from './registry-stub.ts';
import { tooMany } from './version-routes.ts';

type Endpoints = typeof registryEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** GET /models/{id}/aliases/{alias} */
export async function getAlias(call: Handled<'getAlias'>): Reply<'getAlias'> {
  const modelId = modelIdOf(call);
  const { alias } = call.params;
  const body = await registryOf(call.env).alias(modelId, alias, teamSeen(call.caller));
  if (!body) throw await missing(call, modelId, alias);
  return { status: 200, body, headers: { etag: body.etag, 'cache-control': 'no-cache' } };
}

/** PUT /models/{id}/aliases/{alias}: 201 for a new one, 200 for one that moves or is there already. */
export async function setAlias(call: Handled<'setAlias'>): Reply<'setAlias'> {
  const modelId = modelIdOf(call);
  const alias = newAliasIn(call.params.alias);
  const { version } = call.body;
  const conditions = conditionsOf(call.request);
  await requireModelChange(call, modelId);
  const result = await registryOf(call.env).setAlias({ modelId, alias }, { version }, conditions);
  switch (result.kind) {
    case 'no-version':
      throw modelNotFound(modelId, version);
    case 'changed':
      throw changedSince(`The alias ${alias} of ${modelId}`, result.etag);
    case 'too-many':
      throw tooMany('', `${modelId} has ${MAX_ALIASES} aliases, expected no more`);
    case 'create':
    case 'move':
      await audit(call, {
        action: 'alias.set',
        target: `${modelId}@${version}`,
        detail: { alias, moved: result.kind === 'move' },
      });
  }
  const headers = { etag: result.alias.etag };
  return { status: result.kind === 'create' ? 201 : 200, body: result.alias, headers };
}

/** DELETE /models/{id}/aliases/{alias} */
export async function deleteAlias(call: Handled<'deleteAlias'>): Reply<'deleteAlias'> {
  const modelId = modelIdOf(call);
  const { alias } = call.params;
  const conditions = conditionsOf(call.request);
  await requireModelChange(call, modelId);
  const result = await registryOf(call.env).removeAlias(modelId, alias, conditions);
  switch (result.kind) {
    case 'no-alias':
      throw await missing(call, modelId, alias);
    case 'changed':
      throw changedSince(`The alias ${alias} of ${modelId}`, result.etag);
    case 'removed':
      await audit(call, {
        action: 'alias.delete',
        target: `${modelId}@${result.version}`,
        detail: { alias },
      });
  }
  return { status: 204, body: undefined };
}

/** The refusal of an alias that does not exist, or whose model does not. */
async function missing(
  { env, caller }: Handled<'getAlias' | 'deleteAlias'>,
  modelId: ModelId,
  alias: string,
): Promise<Problem> {
  const model = await registryOf(env).resolve(modelId, {}, teamSeen(caller));
  return model.kind === 'found' ? aliasNotFound(modelId, alias) : modelNotFound(modelId, undefined);
}

/** The name in the path, which becomes an alias. @throws Problem invalid_parameter */
function newAliasIn(name: string): Alias {
  const parsed = Alias.safeParse(name);
  if (parsed.success) return parsed.data;
  const detail = `${parsed.error.issues[0]?.message} (got ${JSON.stringify(name.slice(0, 100))})`;
  throw new Problem('invalid_parameter', `alias: ${detail}`, {
    errors: [{ parameter: 'alias', code: 'invalid_format', detail }],
  });
}
