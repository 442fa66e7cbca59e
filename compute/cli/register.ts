import { Command } from 'commander';
import { callEndpoint, type Http, openHttp } from '../../edge/contract/client.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { registryEndpoints } from '../../edge/registry/endpoints.ts';
import { publicationOf, registrationOf, unpackTraining } from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { keyHeaders } from './gateway-access.ts';
import { registryBase } from './load-model.ts';
import { createUploadBar } from './upload-bar.ts';

export interface Push {
  /** A run or a checkpoint. */
  readonly model: string;
  readonly gateway: string;
  readonly key?: string;
  readonly id: string;
  readonly modelVersion: string;
  readonly name?: string;
  /** A name for the version that can be moved, pointed here once all files are there. */
  readonly alias?: string;
}

export function registerCommand(): Command {
  return pushOptions(new Command('register'))
    .requiredOption('--model <dir>', 'a run or a checkpoint')
    .requiredOption('--gateway <url>', 'the gateway, such as http://127.0.0.1:8000')
    .action(pushModel);
}

/** Choices of a person who registers a model. */
export function pushOptions(command: Command): Command {
  return command
    .requiredOption('--id <id>', 'model id')
    .option('--model-version <version>', 'a semantic version', '1.0.0')
    .option('--name <name>', 'display name (default: the id)')
    .option('--alias <alias>', 'alias to point at this version, such as production');
}

/** Registers a checkpoint and uploads its files; what is there already stays as it is. */
export async function pushModel(push: Push): Promise<void> {
  const { model, gateway, key, id, modelVersion, name = id, alias } = push;
  const files = await readCheckpoint(await findCheckpoint(model));
  const stored = unpackTraining(files);
  const { files: published, withheld } = publicationOf(files, stored);
  if (withheld.length > 0) {
    console.error(`trained privately: ${withheld.join(', ')} stay out of the registry`);
  }
  const registration = registrationOf(stored, { id, version: modelVersion, name });
  const http = openHttp({ base: registryBase(gateway), headers: keyHeaders(key) });
  const registry = createRegistryClient(http);
  const { outcome } = await registry.register(registration);
  for (const [filename, bytes] of published) {
    // Files read from disk own their buffer.
    const body = bytes as Uint8Array<ArrayBuffer>;
    const bar = createUploadBar(filename);
    await registry
      .upload({ modelId: id, version: modelVersion, filename, body, onProgress: bar.advance })
      .finally(bar.stop);
    console.error(`uploaded ${filename} (${bytes.length} bytes)`);
  }
  if (alias !== undefined) await pointAlias(http, { id, alias, version: modelVersion });
  console.log(
    `${id} ${modelVersion} ${outcome === 'created' ? 'is registered' : 'was registered before'}`,
  );
}

async function pointAlias(
  http: Http,
  { id, alias, version }: { readonly id: string; readonly alias: string; readonly version: string },
): Promise<void> {
  const asked = { params: { id, alias }, body: { version } };
  await callEndpoint(http, registryEndpoints.setAlias, asked);
  console.error(`${alias} means ${version} now`);
}
