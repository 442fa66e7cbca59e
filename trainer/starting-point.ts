import { createRegistryClient } from '../edge/registry/contract/client.ts';
import type { Mismatch } from '../edge/registry/contract/compatibility.ts';
import type { ModelDetails } from '../edge/registry/contract/model.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import { asTrainRequest, familyFieldsOf } from '../edge/training/contract/train-request.ts';
import {
  type CheckpointFiles,
  EngineError,
  MANIFEST,
  modelFilesOf,
  type StoredModel,
  structureDifferences,
  TOKENIZER_KINDS,
  unpackModel,
} from '../engine/index.ts';
import { retry, type RetryOptions } from './backoff.ts';
import type { JobEnvironment, JobFiles } from './environment.ts';
import { JobFailure } from './job-failure.ts';
import type { ServiceAddress } from './job-messages.ts';
import type { JobPlan } from './job-plan.ts';

/** A trained model that a job continues, and its version in the registry. */
export interface StartingPoint {
  /** Its name in the request. */
  readonly name: string;
  readonly stored: StoredModel;
  readonly parent: { readonly modelId: string; readonly version: string } | undefined;
}

/**
 * The model that a job continues, with every file verified; undefined for a job with new parameters.
 * @throws JobFailure `base_model_mismatch` that names each field with both values
 */
export async function openStartingPoint(
  plan: JobPlan,
  { files }: Pick<JobEnvironment, 'files'>,
  registry: ServiceAddress,
  retryOptions: RetryOptions,
): Promise<StartingPoint | undefined> {
  const { baseModel, baseModelPath } = plan;
  if (baseModel) {
    const { details, files: fetched } = await fetchModel(plan, registry, retryOptions);
    checkTokenizerName(details.model_spec?.['tokenizer']);
    const parent = { modelId: baseModel.model_id, version: details.version };
    const name = `${parent.modelId} ${parent.version}`;
    return { name, stored: checked(fetched, plan), parent };
  }
  if (baseModelPath === undefined) return undefined;
  if (!files) {
    throw new JobFailure(
      'base_model_mismatch',
      `base_model_path is "${baseModelPath}": a tab has no files`,
    );
  }
  const stored = checked(await readLocal(files, baseModelPath), plan);
  return { name: baseModelPath, stored, parent: undefined };
}

async function readLocal(files: JobFiles, path: string): Promise<CheckpointFiles> {
  try {
    return await files.readCheckpoint(path);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'checkpoint-missing') throw error;
    const detail = `base_model_path is "${path}": there is no checkpoint below this trainer's output root`;
    throw new JobFailure('model_not_found', detail);
  }
}

async function fetchModel(plan: JobPlan, address: ServiceAddress, retryOptions: RetryOptions) {
  const { model_id: modelId = '', version: requested } = plan.baseModel ?? {};
  const registry = createRegistryClient(address);
  try {
    const details = await retry(
      () => registry.getModel({ params: { id: modelId }, query: { version: requested } }),
      retryOptions,
    );
    const { version } = details;
    const fetched = new Map<string, Uint8Array>();
    const fetch = async (filename: string) => {
      const file = { modelId, version, filename };
      fetched.set(filename, await retry(() => registry.download(file), retryOptions));
    };
    await fetch(MANIFEST);
    for (const filename of modelFilesOf(fetched)) await fetch(filename);
    return { details, files: fetched } satisfies { details: ModelDetails; files: CheckpointFiles };
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 404) throw error;
    throw new JobFailure('base_model_mismatch', `base_model: ${error.message}`);
  }
}

function checkTokenizerName(tokenizer: unknown): void {
  const name =
    typeof tokenizer === 'object' && tokenizer !== null && 'name' in tokenizer
      ? tokenizer.name
      : undefined;
  if (name === undefined || TOKENIZER_KINDS.some((kind) => kind === name)) return;
  throw new JobFailure(
    'unknown_tokenizer',
    `base_model has the tokenizer ${JSON.stringify(name)}: expected one of ${TOKENIZER_KINDS.join(', ')}`,
  );
}

/** Training continues only if the specification matches everything that was requested (rule 4). */
function checked(files: CheckpointFiles, { request }: JobPlan): StoredModel {
  const stored = unpacked(files);
  const { modelType: architecture, config } = asTrainRequest(request);
  const fields = familyFieldsOf(architecture, config);
  const differences = structureDifferences(stored.spec, { architecture, fields });
  if (differences.length === 0) return stored;
  const described = differences.map(
    ({ field, held, asked }) =>
      `${field} is ${String(held)} in the base model but ${asked} was requested`,
  );
  throw baseMismatch(
    described.join('; '),
    differences.map(({ aspect, pointer, held, asked }) => ({
      aspect,
      field: pointer,
      expected: held,
      actual: asked,
    })),
  );
}

/** Every file is held against the digest that the manifest and the model_spec name. */
function unpacked(files: CheckpointFiles): StoredModel {
  try {
    return unpackModel(files);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const what = { aspect: 'artifact', field: '/base_model_path' } as const;
    const expected = 'files with the digests that its manifest lists';
    throw baseMismatch(error.message, [{ ...what, expected, actual: error.message }]);
  }
}

/** The mismatches with a base model, as a failure of the request. */
export const baseMismatch = (message: string, mismatches: readonly Mismatch[]) =>
  new JobFailure('base_model_mismatch', message, { mismatches });
