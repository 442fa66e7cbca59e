import { EDGE_MODEL_BYTES } from './edge-endpoints.ts';
import { digestOf } from '../contract/digest.ts';
import type { FileRecord } from '../registry/contract/model-file.ts';
import type { VersionChoice, VersionRecord } from '../registry/contract/model.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { modelNotFound, registryOf, versionOf } from '../registry/registry-stub.ts';

/** The version that a request means, as the registry has it for a team. @throws Problem model_not_found or alias_not_found */
export async function findVersion(
  env: Env,
  modelId: string,
  choice: VersionChoice,
  team: string | undefined,
): Promise<VersionRecord> {
  const version = await versionOf(env, modelId, choice, team);
  const record = await registryOf(env).version({ modelId, version }, team);
  if (record) return record;
  throw modelNotFound(modelId, version);
}

/** The records of the files a model is built from. @throws Problem model_not_found where one is missing */
export function filesOf(record: VersionRecord, names: readonly string[]): readonly FileRecord[] {
  return names.map((name) => {
    const file = record.files.find(({ filename }) => filename === name);
    if (file) return file;
    const detail = `${nameOf(record)} has no file ${name}: expected ${names.join(', ')}.`;
    throw new Problem('model_not_found', detail);
  });
}

/** @throws Problem model_cache_full for a model that never fits */
export function checkSize(record: VersionRecord, bytes: number): void {
  if (bytes <= EDGE_MODEL_BYTES) return;
  const detail =
    `${nameOf(record)} has ${bytes} bytes and the edge takes models of at most ` +
    `${EDGE_MODEL_BYTES}: ask the inference service, POST /inference/infer.`;
  throw new Problem('model_cache_full', detail);
}

/** The files from the bucket, each held against its digest. @throws Problem digest_mismatch */
export async function readFiles(
  env: Env,
  record: VersionRecord,
  files: readonly FileRecord[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = files.map(
    async (file) => [file.filename, await readFile(env, record, file)] as const,
  );
  return new Map(await Promise.all(read));
}

async function readFile(
  env: Env,
  record: VersionRecord,
  { filename, digest }: FileRecord,
): Promise<Uint8Array> {
  const { model_id: modelId, version } = record;
  const found = await registryOf(env).findFile(
    { modelId, choice: { version }, filename },
    record.team,
  );
  // Deleted since the version was found.
  if (found.kind !== 'found') throw modelNotFound(modelId, version);
  const object = await env.FILES.get(found.stored.objectKey);
  if (!object) throw new Error(`the bucket does not have ${found.stored.objectKey}`);
  const bytes = await object.arrayBuffer();
  const actual = digestOf(await crypto.subtle.digest('SHA-256', bytes));
  if (actual === digest) return new Uint8Array(bytes);
  const detail = `${filename} of ${nameOf(record)} was damaged: it has ${actual}, expected ${digest}.`;
  throw new Problem('digest_mismatch', detail);
}

export const nameOf = ({ model_id, version }: Pick<VersionRecord, 'model_id' | 'version'>) =>
  `${model_id}@${version}`;
