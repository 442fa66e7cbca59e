import type { ModelDetails, RegistrationInput } from '../edge/registry/contract/model.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import { createRegistryClient, type RegistryClient } from '../edge/registry/contract/client.ts';
import { nextMinor } from '../edge/contract/semver.ts';
import { type CheckpointFiles, registrationOf, type StoredTraining } from '../engine/index.ts';
import { backoffMs, isTransient, pause } from './backoff.ts';
import { JobFailure } from './job-failure.ts';
import type { ServiceAddress } from './job-messages.ts';
import type { JobPlan, ModelAnswer } from './job-plan.ts';
import type { StartingPoint } from './starting-point.ts';

interface Result {
  readonly plan: Pick<JobPlan, 'jobId' | 'modelId' | 'version' | 'setDefault' | 'createdAt'>;
  readonly stored: Pick<StoredTraining, 'spec' | 'state'>;
  /** Those that readers of the registry get. */
  readonly files: CheckpointFiles;
  readonly parent: StartingPoint['parent'];
  /** Of the dataset's file, where the platform holds it; that of its text otherwise. */
  readonly datasetDigest: string | undefined;
}

interface RegisterOptions {
  readonly registry: ServiceAddress;
  /** Given up when it aborts. */
  readonly signal: AbortSignal;
  /** Called occasionally while the registry does not respond. */
  readonly onAway: (reason: string) => void;
  readonly patienceMs?: number;
}

/** If the registry is unavailable for longer, the job fails; its last checkpoint remains. */
const PATIENCE_MS = 30 * 60_000;
/** Failures between two messages. */
const FAILURES_PER_MESSAGE = 20;

/**
 * Registers the result of a job, idempotently: a version that this job created before, on another trainer,
 * is completed.
 * @throws JobFailure `register_failed`, retryable if the registry did not respond for too long
 */
export async function registerResult(
  result: Result,
  options: RegisterOptions,
): Promise<ModelAnswer> {
  const { signal, onAway, patienceMs = PATIENCE_MS } = options;
  const registry = createRegistryClient(options.registry);
  const deadline = Date.now() + patienceMs;
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    try {
      return await register(registry, result, signal);
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      if (!isTransient(error)) throw new JobFailure('register_failed', reason);
      if (Date.now() > deadline) {
        const minutes = Math.round(patienceMs / 60_000);
        const what = `the registry did not answer for ${minutes} minutes: ${reason}`;
        throw new JobFailure('register_failed', what, true);
      }
      if (failures % FAILURES_PER_MESSAGE === 1) onAway(reason);
      await pause(backoffMs(failures), signal);
    }
  }
}

async function register(
  registry: RegistryClient,
  result: Result,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { modelId } = result.plan;
  const version = await claimVersion(registry, result);
  for (const [filename, bytes] of result.files) {
    // Read from a device or put together from parts: each owns its buffer.
    const body = bytes as Uint8Array<ArrayBuffer>;
    await registry.upload({ modelId, version, filename, body, signal });
  }
  const { manifest_digest: digest } = await registry.getModel({
    params: { id: modelId },
    query: { version },
  });
  if (digest !== null) return { model_id: modelId, version, digest };
  throw new JobFailure('register_failed', `${modelId} ${version} has no manifest`);
}

/** The version that holds the result: one that this job has registered before, else a new one. */
async function claimVersion(registry: RegistryClient, result: Result): Promise<string> {
  const { modelId, version } = result.plan;
  for (;;) {
    const details = await findModel(registry, modelId);
    const own = details && (await ownVersion(registry, details, result.plan));
    if (own !== undefined) return own;
    const next = version ?? nextVersion(details);
    try {
      await registry.register(registrationFor(result, next));
      return next;
    } catch (error) {
      const isTaken = error instanceof ProblemError && error.code === 'version_immutable';
      // Another job took the number in between: the next one will be free.
      if (!isTaken || version !== undefined) throw error;
    }
  }
}

async function findModel(
  registry: RegistryClient,
  modelId: string,
): Promise<ModelDetails | undefined> {
  try {
    return await registry.getModel({ params: { id: modelId } });
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'model_not_found') return undefined;
    throw error;
  }
}

/** Only versions younger than the job can be its own. */
async function ownVersion(
  registry: RegistryClient,
  details: ModelDetails,
  { jobId, createdAt }: Result['plan'],
): Promise<string | undefined> {
  const younger = details.versions.filter(({ created_at }) => created_at >= createdAt);
  for (const { version } of younger) {
    const { job_id } = await registry.getModel({
      params: { id: details.model_id },
      query: { version },
    });
    if (job_id === jobId) return version;
  }
  return undefined;
}

const nextVersion = (details: ModelDetails | undefined): string =>
  nextMinor(details?.versions.map(({ version }) => version) ?? []);

function registrationFor(
  { plan, stored, parent, datasetDigest }: Result,
  version: string,
): RegistrationInput {
  const { modelId, jobId, setDefault } = plan;
  const { dataset_digest, ...registration } = registrationOf(stored, {
    id: modelId,
    version,
    name: modelId,
  });
  return {
    ...registration,
    job_id: jobId,
    set_default: setDefault,
    dataset_digest: datasetDigest ?? dataset_digest,
    ...(parent && { parent_model_id: parent.modelId, parent_version: parent.version }),
  };
}
