import { type RegistryClient } from '../../../edge/registry/contract/client.ts';
import {
  type CheckpointFiles,
  isForTraining,
  MANIFEST,
  MODEL_FILES,
  publicationOf,
  type RegistrationChoice,
  registrationOf,
  type StoredModel,
  unpackModel,
  unpackTraining,
} from '../../../engine/index.ts';
import type { Requests } from '../protocol.ts';

/** The files of a version that a model needs to be used. Throws ProblemError. */
export async function downloadFiles(
  registry: RegistryClient,
  modelId: string,
  version: string,
): Promise<CheckpointFiles> {
  const record = await registry.getModel({ params: { id: modelId }, query: { version } });
  const needed = record.files.filter(({ filename }) => !isForTraining(filename));
  const files = needed.map(
    async ({ filename }) =>
      [filename, await registry.download({ modelId, version, filename })] as const,
  );
  return new Map(await Promise.all(files));
}

/** Reads a version's model out of the registry. Throws ProblemError, and EngineError where it is no model of ours. */
export async function downloadModel(
  registry: RegistryClient,
  modelId: string,
  version: string,
): Promise<StoredModel> {
  const files = [...MODEL_FILES, MANIFEST].map(
    async (filename) =>
      [filename, await registry.download({ modelId, version, filename })] as const,
  );
  return unpackModel(new Map(await Promise.all(files)));
}

/**
 * Registers a checkpoint and uploads all of its files that readers may have. Doing so again with the
 * same files goes on where it was cut off. Throws ProblemError, `version_immutable` where the version holds something else.
 */
export async function registerCheckpoint(
  registry: RegistryClient,
  files: CheckpointFiles,
  {
    choice,
    onProgress,
  }: {
    readonly choice: RegistrationChoice;
    readonly onProgress: (sentBytes: number, totalBytes: number) => void;
  },
): Promise<Requests['register']['answer']> {
  const stored = unpackTraining(files);
  const { files: published, withheld } = publicationOf(files, stored);
  const { outcome } = await registry.register(registrationOf(stored, choice));
  const total = [...published.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0);
  let done = 0;
  for (const [filename, bytes] of published) {
    await registry.upload({
      modelId: choice.id,
      version: choice.version,
      filename,
      // The files were made or read in this worker: none lies in shared memory.
      body: bytes as Uint8Array<ArrayBuffer>,
      onProgress: (sent) => onProgress(done + sent, total),
    });
    done += bytes.byteLength;
    onProgress(done, total);
  }
  return { outcome, withheld };
}
