import { callEndpoint } from '../../edge/contract/client.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { DatasetName } from '../../edge/datasets/contract/dataset.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import { refuseUnsafePath } from '../../edge/training/contract/relative-path.ts';
import { registryEndpoints } from '../../edge/registry/endpoints.ts';
import {
  asTrainRequest,
  baseModelOf,
  type CategoryRequest,
  tokenizerFileOf,
  type TrainRequest,
} from '../../edge/training/contract/train-request.ts';
import { datasetEndpoints } from '../../edge/datasets/endpoints.ts';
import { teamOf } from '../../edge/http/ownership.ts';
import type { Call } from '../../edge/http/call.ts';
import {
  type DataFiles,
  familyDescriptions,
  isZipName,
  type RunSettings,
} from '../../engine/index.ts';
import { JobFailure, type OpenSource, settingsOfRequest } from '../../trainer/index.ts';
import { createJobFiles, type Roots } from '../trainer/job-files.ts';
import { placeBelow } from '../trainer/rooted-path.ts';
import { registryFor, relayed, trainingFor } from './at-gateway.ts';
import { refuseOtherBase } from './base-model.ts';
import { capacityFor, refuseWithoutRoom } from './capacity.ts';
import type { Context } from './context.ts';

type From = Pick<Call<Context>, 'request' | 'env' | 'trace' | 'caller'>;

/**
 * Checks all of a request that this machine can check, and gives it to the training service as a job
 * for its own trainer. Nothing that was asked for is changed.
 *
 * @throws Problem unsafe_path, validation_failed, invalid_structure, dataset_not_found,
 *   model_not_found, base_model_mismatch, insufficient_vram, and what the training service refuses
 */
export async function submit(call: From, body: CategoryRequest): Promise<JobRecord> {
  const { env, request } = call;
  const settings = await checkedSettings(call, body);
  refuseWithoutRoom(await capacityFor(env, settings, body));
  const key = request.headers.get('idempotency-key');
  const asked = {
    body: { ...body, requirements: { ...body.requirements, trainer_id: env.trainerId } },
    ...(key !== null && { headers: { 'idempotency-key': key } }),
  };
  return (await relayed(callEndpoint(trainingFor(call), jobEndpoints.train, asked))).body;
}

/**
 * The gateway identifies a caller without passing on the key. With this server's own key, the caller
 * could read what only that key may read, and the job would belong to another owner.
 */
function refuseWithoutKey({ request, caller }: From): void {
  if (!('id' in caller) || request.headers.has('authorization')) return;
  const detail =
    'The gateway passes on who you are, not your key: ask /lm-training, or this server itself with your key.';
  throw new Problem('forbidden', detail);
}

/**
 * The engine's settings of a request; structure that it leaves out is the base model's.
 *
 * @throws Problem unsafe_path, validation_failed, dataset_not_found, model_not_found,
 *   base_model_mismatch
 */
export async function checkedSettings(
  call: From,
  body: CategoryRequest | TrainRequest,
): Promise<RunSettings> {
  refuseWithoutKey(call);
  const { env } = call;
  const { data, output } = env.roots;
  await refuseLeaving(data, 'dataset_path', body.dataset_path);
  await refuseLeaving(data, 'tokenizer_file', tokenizerFileOf(body));
  await refuseLeaving(output, 'output_dir', body.output_dir);
  await refuseLeaving(output, 'base_model_path', body.base_model_path);
  refuseOtherServer(env, body);
  const openText = await datasetOf(call, body);
  const base = await baseOf(call, body, openText);
  return settingsOfRequest(body, { base });
}

/** The model a request goes on from: here, or in the registry, where the platform checks it again. */
async function baseOf(
  call: From,
  body: CategoryRequest | TrainRequest,
  openText: (() => Promise<OpenSource>) | undefined,
) {
  const { base_model_path: path } = body;
  if (path !== undefined) {
    const team = teamOf(call.caller);
    const spec = await refuseOtherBase(call.env.roots, { path, team, body, openText });
    return { name: path, spec };
  }
  const named = baseModelOf(body);
  if (!named) return undefined;
  const { model_id: id, ...query } = named;
  const asked = { params: { id }, query };
  const registry = registryFor(call);
  const { body: found } = await relayed(callEndpoint(registry, registryEndpoints.getModel, asked));
  return { name: `${id} ${found.version}`, spec: found.model_spec ?? {} };
}

async function refuseLeaving(root: string, field: string, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  refuseUnsafePath(field, path);
  try {
    await placeBelow(root, path);
  } catch (error) {
    if (error instanceof JobFailure)
      throw new Problem('unsafe_path', `${field}: ${error.message}.`);
    throw error;
  }
}

/** A request for a GPU, or for another trainer, is not this server's to carry out. */
function refuseOtherServer(
  { device, trainerId }: Context,
  body: CategoryRequest | TrainRequest,
): void {
  if ('gpu' in body && body.gpu && !device.isHardware) {
    throw invalid('/gpu', `expected false: this server trains on ${device.label}, got true`);
  }
  const { trainer_id: asked = trainerId } = body.requirements;
  if (asked === trainerId) return;
  throw invalid('/requirements/trainer_id', `expected ${trainerId} of this server, got ${asked}`);
}

function invalid(pointer: string, detail: string): Problem {
  const errors = [{ pointer, code: 'validation_failed', detail }];
  return new Problem('validation_failed', `${pointer}: ${detail}`, { errors });
}

const PLATFORM = 'datasets/';

/** How to read the text where it is one file of this machine. @throws Problem dataset_not_found */
async function datasetOf(
  call: From,
  body: CategoryRequest | TrainRequest,
): Promise<(() => Promise<OpenSource>) | undefined> {
  const { dataset_path: path } = body;
  // Made up, as the request asks for it.
  if (path === undefined) return undefined;
  const name = DatasetName.safeParse(path.slice(PLATFORM.length)).data;
  if (path.startsWith(PLATFORM) && name !== undefined) {
    const asked = { params: { name } };
    await relayed(callEndpoint(trainingFor(call), datasetEndpoints.getDataset, asked));
    return undefined;
  }
  const found = await openBelow(call.env.roots, path);
  await found.close();
  const { category } = familyDescriptions[asTrainRequest(body).modelType];
  const isOneText = category === 'LangText' && 'read' in found && !isZipName(path);
  return isOneText ? () => openFile(call.env.roots, path) : undefined;
}

async function openFile(roots: Roots, path: string): Promise<OpenSource> {
  const found = await openBelow(roots, path);
  if ('read' in found) return found;
  await found.close();
  throw new Problem(
    'dataset_not_found',
    `dataset_path is "${path}": expected a file, not a folder.`,
  );
}

async function openBelow(roots: Roots, path: string): Promise<OpenSource | DataFiles> {
  try {
    return await createJobFiles(roots).openDataset(path);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    throw new Problem('dataset_not_found', `${error.message}.`);
  }
}
