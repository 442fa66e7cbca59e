import type { UploadClaim } from './contract/model-file.ts';
import type { ModelId } from './contract/model.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { modelNotFound, registryOf, versionOf } from './registry-stub.ts';

/**
 * The version a file is for: the one that is named, the only one there is, the only one that waits
 * for files, else the default one.
 *
 * @throws Problem model_not_found, or validation_failed where several versions wait for files
 */
export async function uploadVersionOf(
  env: Env,
  modelId: ModelId,
  { version }: Pick<UploadClaim, 'version'>,
  team: string | undefined,
): Promise<string> {
  if (version !== undefined) return versionOf(env, modelId, { version }, team);
  const records = await registryOf(env).versions(modelId, team);
  if (records.length === 0) throw modelNotFound(modelId, undefined);
  const waiting = records.filter(({ status }) => status === 'PENDING');
  const [only, ...others] = records.length === 1 ? records : waiting;
  if (!only) return versionOf(env, modelId, {}, team);
  if (others.length === 0) return only.version;
  const names = waiting.map((record) => record.version).join(', ');
  const detail = `expected a version, as several of ${modelId} wait for files: ${names}`;
  throw new Problem('validation_failed', `/version: ${detail}.`, {
    errors: [{ pointer: '/version', code: 'ambiguous_version', detail }],
  });
}
