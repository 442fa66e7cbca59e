import { modelNotFound, registryOf } from './registry-stub.ts';
import type { ModelId } from './contract/model.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { trainingOf } from '../training/training-stub.ts';
import { mayChange, maySee, ownerOf, requireChange } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { ModelOwners } from './changes.ts';

type By = Pick<Call<Env>, 'env' | 'caller'>;

/** Lets a caller pass who may delete a model or move its aliases. @throws Problem model_not_found or forbidden */
export async function requireModelChange(call: By, modelId: ModelId): Promise<void> {
  const { model } = await ownersOf(call, modelId);
  const notFound = () => modelNotFound(modelId, undefined);
  requireChange(call.caller, model, { what: `The model ${modelId}`, notFound });
}

/**
 * Lets a caller pass who may change or delete a version: its owner, its model's, and who administers
 * the team.
 *
 * @throws Problem model_not_found or forbidden
 */
export async function requireVersionChange(
  call: By,
  modelId: ModelId,
  version: string,
): Promise<void> {
  const { model, version: whose } = await ownersOf(call, modelId, version);
  if (!whose) throw modelNotFound(modelId, version);
  if (mayChange(call.caller, model)) return;
  const notFound = () => modelNotFound(modelId, version);
  requireChange(call.caller, whose, { what: `${modelId} ${version}`, notFound });
}

/**
 * Requires that a caller may add files to a version: one who may change it, who registered it (as a
 * trainer does for a job's owner), or a trainer that resumed the job. Returns the owners of the version.
 *
 * @throws Problem model_not_found or forbidden
 */
export async function requireUpload(call: By, modelId: ModelId, version: string) {
  const { version: whose, jobId } = await ownersOf(call, modelId, version);
  if (!whose) throw modelNotFound(modelId, version);
  if (whose.createdBy === ownerOf(call.caller)) return whose;
  const result = jobId && (await trainingOf(call.env).resultOwnership(jobId, call.caller));
  const isForOwner = result && result.owner === whose.owner && result.team === whose.team;
  if (!isForOwner) await requireVersionChange(call, modelId, version);
  return whose;
}

/** A name that another team uses is no name for the result of a job. @throws Problem already_exists */
export async function requireFreeName(env: Env, modelId: string, team: string): Promise<void> {
  const taken = await registryOf(env).teamOfId(modelId);
  if (taken !== undefined && taken !== team) throw idTaken(modelId);
}

/** The refusal of an id that stays with another team, which it does not name. */
export const idTaken = (modelId: string) =>
  new Problem('already_exists', `The name ${modelId} is taken. Choose another one.`);

/** @throws Problem model_not_found, for one of another team too */
async function ownersOf(
  { env, caller }: By,
  modelId: ModelId,
  version?: string,
): Promise<ModelOwners> {
  const owners = await registryOf(env).owners(modelId, version);
  if (owners && maySee(caller, owners.model)) return owners;
  throw modelNotFound(modelId, version);
}
