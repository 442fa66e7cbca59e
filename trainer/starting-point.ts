import { createRegistryClient } from '../edge/contract/registry-client.ts';
import type { ModelDetails } from '../edge/contract/model.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import {
  type CheckpointFiles,
  MANIFEST,
  modelFilesOf,
  type ModelSpec,
  type RunSettings,
  type StoredModel,
  type StoredTraining,
  TOKENIZER_KINDS,
  type TrainingState,
  unpackModel,
} from '../engine/index.ts';
import { persist, type Persistence } from './backoff.ts';
import type { JobEnvironment } from './environment.ts';
import { JobFailure } from './job-failure.ts';
import type { ServiceAddress } from './job-messages.ts';
import type { JobPlan } from './job-plan.ts';

/** A trained model that a job goes on from, and what the registry calls it. */
export interface StartingPoint {
  readonly stored: StoredModel;
  readonly parent: { readonly modelId: string; readonly version: string } | undefined;
}

/**
 * The model a job goes on from, every file checked against its digest; undefined where it begins
 * with new parameters.
 *
 * @throws JobFailure `base_model_mismatch` that names each field with both values
 */
export async function openStartingPoint(
  plan: JobPlan,
  { files }: Pick<JobEnvironment, 'files'>,
  registry: ServiceAddress,
  persistence: Persistence,
): Promise<StartingPoint | undefined> {
  const { baseModel, baseModelPath } = plan;
  if (baseModel) {
    const { details, files: fetched } = await fetchModel(plan, registry, persistence);
    checkTokenizerName(details.model_spec?.['tokenizer']);
    const parent = { modelId: baseModel.model_id, version: details.version };
    return { stored: checked(fetched, plan), parent };
  }
  if (baseModelPath === undefined) return undefined;
  if (!files) {
    throw new JobFailure(
      'base_model_mismatch',
      `base_model_path is "${baseModelPath}": a tab has no files`,
    );
  }
  return { stored: checked(await files.readCheckpoint(baseModelPath), plan), parent: undefined };
}

async function fetchModel(plan: JobPlan, address: ServiceAddress, persistence: Persistence) {
  const { model_id: modelId = '', version: asked } = plan.baseModel ?? {};
  const registry = createRegistryClient(address);
  try {
    const details = await persist(() => registry.get(modelId, { version: asked }), persistence);
    const { version } = details;
    const fetched = new Map<string, Uint8Array>();
    const fetch = async (filename: string) => {
      const file = { modelId, version, filename };
      fetched.set(filename, await persist(() => registry.download(file), persistence));
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

function checked(files: CheckpointFiles, { settings }: JobPlan): StoredModel {
  const stored = unpackModel(files);
  const mismatches = structureDifferences(stored.spec, settings).map(
    ({ field, held, asked }) =>
      `${field} is ${String(held)} in the base model but ${asked} was asked for`,
  );
  if (mismatches.length === 0) return stored;
  throw new JobFailure('base_model_mismatch', mismatches.join('; '));
}

/** A field in which a base model is not what a run asks for. */
export interface StructureDifference {
  readonly field: string;
  readonly held: unknown;
  readonly asked: string | number | boolean;
}

/** Training goes on only where all that a spec says of what was asked for is the same. */
export function structureDifferences(
  spec: ModelSpec,
  { architecture, fields }: RunSettings,
): readonly StructureDifference[] {
  const own: Readonly<Record<string, unknown>> = { ...spec.core, ...spec };
  const held = { ...own, ...('tokenizer' in spec && { tokenizer: spec.tokenizer.name }) };
  // How many tokens there are follows from the tokenizer, which the base model has.
  const { vocab_size: _, ...asked } = fields;
  return differences(held, { architecture, ...asked });
}

function differences(
  held: Readonly<Record<string, unknown>>,
  fields: RunSettings['fields'],
): readonly StructureDifference[] {
  return Object.entries(fields)
    .filter(([field, asked]) => field in held && held[field] !== asked)
    .map(([field, asked]) => ({ field, held: held[field], asked }));
}

/** The first state of a run that goes on from a model: its parameters, with new moments and new data. */
export function asTraining(
  { stored }: StartingPoint,
  data: TrainingState['data'],
  seed: number,
): StoredTraining {
  const { values } = stored;
  return {
    ...stored,
    momentum: new Float32Array(values.length),
    variance: new Float32Array(values.length),
    state: {
      step: 0,
      seconds: 0,
      random: { generator: 'philox4x32-10', seed, step: 0 },
      data,
      last_loss: null,
    },
  };
}
