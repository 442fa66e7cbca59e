import type { Mismatch } from '../registry/contract/compatibility.ts';
import type { VersionRecord } from '../registry/contract/model.ts';
import type { BaseModel } from './contract/train-request.ts';
import type { Env } from '../env.ts';
import { type Fields, type SpecRecord, structureDifferences } from '../../engine/planning.ts';
import { Problem } from '../http/problem.ts';
import { trainingOf } from './training-stub.ts';
import { modelNotFound, registryOf, versionOf } from '../registry/registry-stub.ts';

/** What a request says of the structure that it goes on with: the fields that were given. */
export interface AskedStructure {
  readonly architecture: string;
  readonly fields: Fields;
  /** Whose models may be gone on with; undefined for those of all teams. */
  readonly team: string | undefined;
}

/** A version of the registry that a training goes on from. */
export interface RegisteredBase {
  readonly record: VersionRecord;
  readonly spec: SpecRecord;
}

/**
 * The version that a training goes on from. What the request says of the structure has to be the
 * same; what it leaves out is that of the version.
 *
 * @throws Problem model_not_found, alias_not_found or base_model_mismatch
 */
export async function resolveBase(
  env: Env,
  { model_id: modelId, ...choice }: BaseModel,
  asked: AskedStructure,
): Promise<RegisteredBase> {
  const version = await versionOf(env, modelId, choice, asked.team);
  const record = await registryOf(env).version({ modelId, version }, asked.team);
  if (!record) throw modelNotFound(modelId, version);
  const name = `${modelId} ${version}`;
  const spec = matchingSpec(record, asked, name);
  if (record.status === 'READY') return { record, spec };
  throw otherBase(`${name} is ${record.status}: ${record.status_message}.`, []);
}

/**
 * The result of a job of the platform that a trainer keeps a copy of below its output root, where
 * one was told to be kept there. What lies there otherwise only its trainer can tell.
 *
 * @throws Problem base_model_mismatch
 */
export async function knownCheckpoint(
  env: Env,
  path: string,
  asked: AskedStructure,
): Promise<RegisteredBase | undefined> {
  const result = await trainingOf(env).resultKeptAt(path, asked.team);
  const record = result && (await registryOf(env).version(result, asked.team));
  if (!record) return undefined;
  return { record, spec: matchingSpec(record, asked, `The checkpoint at ${path}`) };
}

/** The spec of a version where it agrees with a request. @throws Problem base_model_mismatch */
export function matchingSpec(
  { model_spec: spec }: VersionRecord,
  asked: AskedStructure,
  name: string,
): SpecRecord {
  if (spec === null) {
    const { architecture } = asked;
    const missing = { aspect: 'structure', field: '/model_spec', expected: null } as const;
    throw otherBase(`${name} has no model_spec to go on from.`, [
      { ...missing, actual: architecture },
    ]);
  }
  const mismatches = structureDifferences(spec, asked).map(
    ({ aspect, pointer, held, asked: actual }): Mismatch => ({
      aspect,
      field: pointer,
      expected: held,
      actual,
    }),
  );
  if (mismatches.length === 0) return spec;
  const fields = mismatches.map(({ field }) => field.split('/').at(-1));
  throw otherBase(`${name} has another ${fields.join(', ')}.`, mismatches);
}

export const otherBase = (detail: string, mismatches: readonly Mismatch[]) =>
  new Problem('base_model_mismatch', detail, { members: { mismatches } });
