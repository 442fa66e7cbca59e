import { existsSync } from 'node:fs';
import { ModelId } from '../../edge/registry/contract/model.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { Version } from '../../edge/contract/semver.ts';
import {
  type CheckpointFiles,
  isForTraining,
  MANIFEST,
  MODEL_FILES,
  type StoredModel,
  unpackModel,
} from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { type GatewayOptions, keyHeaders } from './gateway-access.ts';

/** Loads a model from a folder or, with a gateway, from the registry; digests are checked either way. */
export async function loadModel(model: string, gateway: string | undefined): Promise<StoredModel> {
  const files = gateway
    ? await download(model, gateway)
    : await readCheckpoint(await findCheckpoint(model));
  return unpackModel(files);
}

/**
 * The files of a model: of a folder where `model` is one, else out of the registry, where it is an id with
 * a version or an alias behind an @. What only training needs is left there.
 */
export async function loadModelFiles(
  model: string,
  { gateway, key }: GatewayOptions,
): Promise<CheckpointFiles> {
  const [modelId = '', chosen] = model.split('@');
  if (existsSync(model) || !ModelId.safeParse(modelId).success) {
    return readCheckpoint(await findCheckpoint(model));
  }
  const registry = createRegistryClient({ base: registryBase(gateway), headers: keyHeaders(key) });
  const isVersion = chosen === undefined || Version.safeParse(chosen).success;
  const record = await registry.getModel({
    params: { id: modelId },
    ...(isVersion ? { version: chosen } : { alias: chosen }),
  });
  const needed = record.files.filter(({ filename }) => !isForTraining(filename));
  const files = needed.map(
    async ({ filename }) =>
      [filename, await registry.download({ modelId, version: record.version, filename })] as const,
  );
  return new Map(await Promise.all(files));
}

/** Where the registry is behind a gateway's address. */
export function registryBase(gateway: string): string {
  return `${gateway.replace(/\/+$/, '')}/registry`;
}

async function download(model: string, gateway: string): Promise<CheckpointFiles> {
  const [modelId = '', version] = model.split('@');
  const registry = createRegistryClient({ base: registryBase(gateway), headers: keyHeaders() });
  // The version is fixed first: a newer one may be registered between two files.
  const record = await registry.getModel({ params: { id: modelId }, query: { version } });
  const files = [...MODEL_FILES, MANIFEST].map(
    async (filename) =>
      [filename, await registry.download({ modelId, version: record.version, filename })] as const,
  );
  return new Map(await Promise.all(files));
}
