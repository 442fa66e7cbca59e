import { createRegistryClient } from '../../edge/contract/registry-client.ts';
import {
  type CheckpointFiles,
  MANIFEST,
  MODEL_FILES,
  type StoredModel,
  unpackModel,
} from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { keyHeaders } from './gateway-access.ts';

/** Loads a model from a folder or, with a gateway, from the registry; digests are checked either way. */
export async function loadModel(model: string, gateway: string | undefined): Promise<StoredModel> {
  const files = gateway
    ? await download(model, gateway)
    : await readCheckpoint(await findCheckpoint(model));
  return unpackModel(files);
}

/** Where the registry is behind a gateway's address. */
export function registryBase(gateway: string): string {
  return `${gateway.replace(/\/+$/, '')}/registry`;
}

async function download(model: string, gateway: string): Promise<CheckpointFiles> {
  const [modelId = '', version] = model.split('@');
  const registry = createRegistryClient({ base: registryBase(gateway), headers: keyHeaders() });
  // The version is fixed first: a newer one may be registered between two files.
  const record = await registry.get(modelId, { version });
  const files = [...MODEL_FILES, MANIFEST].map(
    async (filename) =>
      [filename, await registry.download({ modelId, version: record.version, filename })] as const,
  );
  return new Map(await Promise.all(files));
}
