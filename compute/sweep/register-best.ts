import { ProblemError } from '../../edge/contract/problem-error.ts';
import { nextMinor } from '../../edge/contract/semver.ts';
import type { RegistryClient } from '../../edge/registry/contract/client.ts';
import type { ModelDetails, RegistrationInput } from '../../edge/registry/contract/model.ts';
import { bestRun, lastSuccess, type SweepState } from './machine.ts';
import type { PlacedSweep } from './sweep-plan.ts';

interface RegisteredModel {
  readonly model_id: string;
  readonly version: string;
}

/**
 * Registers the best run's model as a version of the sweep's own, whose parent is the version that the run's job
 * registered: from there the lineage leads over the rungs to the base model. Idempotent: a version with the tag
 * of this sweep is completed. Undefined where no run has a model.
 */
export async function registerBest(
  { id, file, schedule }: PlacedSweep,
  state: SweepState,
  registry: RegistryClient,
): Promise<RegisteredModel | undefined> {
  const run = bestRun(state, schedule);
  const best = run === undefined ? undefined : lastSuccess(state, run);
  if (run === undefined || !best?.model) return undefined;
  const modelId = file.output ?? file.name;
  const params = { id: best.model.model_id };
  const source = await registry.getModel({ params, query: { version: best.model.version } });
  const tags = { sweep: id, run: String(run + 1), [file.metric]: String(best.value) };
  const version = await claimedVersion(registry, { modelId, sweep: id }, (next) =>
    registrationOf(source, { model_id: modelId, version: next, tags }),
  );
  for (const { filename } of source.files) {
    const from = { modelId: source.model_id, version: source.version, filename };
    const body = await registry.download(from);
    await registry.upload({ modelId, version, filename, body });
  }
  return { model_id: modelId, version };
}

/** The version that this sweep has registered before, else a new one. */
async function claimedVersion(
  registry: RegistryClient,
  { modelId, sweep }: { readonly modelId: string; readonly sweep: string },
  registration: (version: string) => RegistrationInput,
): Promise<string> {
  for (;;) {
    const held = (await found(registry, modelId))?.versions.map(({ version }) => version) ?? [];
    for (const version of held) {
      const { tags } = await registry.getModel({ params: { id: modelId }, query: { version } });
      if (tags['sweep'] === sweep) return version;
    }
    const next = nextMinor(held);
    try {
      await registry.register(registration(next));
      return next;
    } catch (error) {
      // Somebody else took the number in between: the next one will be free.
      if (!isProblem(error, 'version_immutable')) throw error;
    }
  }
}

const isProblem = (error: unknown, code: string): boolean =>
  error instanceof ProblemError && error.code === code;

async function found(registry: RegistryClient, id: string): Promise<ModelDetails | undefined> {
  try {
    return await registry.getModel({ params: { id } });
  } catch (error) {
    if (isProblem(error, 'model_not_found')) return undefined;
    throw error;
  }
}

/** The registration of a copy, with what it was copied from as its parent. */
function registrationOf(
  source: ModelDetails,
  named: Pick<RegistrationInput, 'model_id' | 'version' | 'tags'>,
): RegistrationInput {
  const { model_spec, architecture, job_id } = source;
  const { model_spec_digest, tokenizer_digest, dataset_digest } = source;
  return {
    ...named,
    name: named.model_id,
    model_type: source.model_type,
    framework: source.framework,
    description: source.description,
    set_default: false,
    parent_model_id: source.model_id,
    parent_version: source.version,
    ...(architecture !== null && { architecture }),
    ...(model_spec && { model_spec }),
    ...(model_spec_digest !== null && { model_spec_digest }),
    ...(tokenizer_digest !== null && { tokenizer_digest }),
    ...(dataset_digest !== null && { dataset_digest }),
    ...(job_id !== null && { job_id }),
  };
}
