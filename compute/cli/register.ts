import { Presets, SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { createRegistryClient } from '../../edge/contract/registry-client.ts';
import { registrationOf, unpackTraining } from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { keyHeaders } from './gateway-access.ts';
import { registryBase } from './load-model.ts';

interface RegisterOptions {
  readonly model: string;
  readonly gateway: string;
  readonly id: string;
  readonly modelVersion: string;
  readonly name?: string;
}

export function registerCommand(): Command {
  return new Command('register')
    .description('Put a checkpoint into the model registry.')
    .requiredOption('--model <dir>', 'a run or a checkpoint')
    .requiredOption('--gateway <url>', 'the gateway, such as http://127.0.0.1:8000')
    .requiredOption('--id <id>', 'the model to register it under')
    .option('--model-version <version>', 'a semantic version', '1.0.0')
    .option('--name <name>', 'a name for people; the id where it is left out')
    .action(register);
}

async function register({
  model,
  gateway,
  id,
  modelVersion,
  name = id,
}: RegisterOptions): Promise<void> {
  const files = await readCheckpoint(await findCheckpoint(model));
  const registration = registrationOf(unpackTraining(files), { id, version: modelVersion, name });
  const registry = createRegistryClient({ base: registryBase(gateway), headers: keyHeaders() });
  const { outcome } = await registry.register(registration);
  for (const [filename, bytes] of files) {
    // Files read from disk own their buffer.
    const body = bytes as Uint8Array<ArrayBuffer>;
    const bar = progressBar(filename);
    await registry
      .upload({ modelId: id, version: modelVersion, filename, body, onProgress: bar.advance })
      .finally(bar.stop);
    console.error(`uploaded ${filename} (${bytes.length} bytes)`);
  }
  console.log(
    `${id} ${modelVersion} ${outcome === 'created' ? 'is registered' : 'was registered before'}`,
  );
}

/** How far a file has come, for a person at a terminal; it goes once the file is there. */
function progressBar(filename: string) {
  const bar = new SingleBar(
    {
      format: `${filename} {bar} {percentage} %  {eta_formatted} left`,
      clearOnComplete: true,
      stopOnComplete: true,
      // A pipe gets no bar.
      noTTYOutput: false,
    },
    Presets.rect,
  );
  return {
    advance(sent: number, total: number) {
      if (bar.isActive) bar.update(sent);
      else if (sent < total) bar.start(total, sent);
    },
    stop: () => bar.stop(),
  };
}
