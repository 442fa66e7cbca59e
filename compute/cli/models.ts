import { existsSync, readdirSync } from 'node:fs';
import { Command } from 'commander';
import type { VersionRecord } from '../../edge/registry/contract/model.ts';
import { createRegistryClient, type RegistryClient } from '../../edge/registry/contract/client.ts';
import { EngineError } from '../../engine/index.ts';
import { writeFolder } from '../checkpoints/checkpoint-folder.ts';
import { atGateway, type GatewayOptions, keyHeaders } from './gateway-access.ts';
import { registryBase } from './load-model.ts';
import { pushModel, pushOptions, type Push } from './register.ts';

export function modelsCommand(): Command {
  return new Command('models')
    .addCommand(
      atGateway(new Command('list'), 'registry:read')
        .description('List the models by their default versions, the latest registered first.')
        .option('--json', 'one JSON object per line')
        .action(list),
    )
    .addCommand(
      pushOptions(atGateway(new Command('push'), 'registry:write'))
        .description('Put a checkpoint into the registry.')
        .argument('<dir>', 'a run or a checkpoint')
        .action((model: string, options: Omit<Push, 'model'>) => pushModel({ ...options, model })),
    )
    .addCommand(
      atGateway(new Command('pull'), 'registry:read')
        .description('Get the files of a version, each checked against its digest.')
        .argument('<id>', 'a model id: id or id@version')
        .requiredOption('--output <dir>', 'a folder that is not there yet')
        .option('--alias <alias>', 'use the version with this alias')
        .action(pull),
    );
}

function openRegistry({ gateway, key }: GatewayOptions): RegistryClient {
  return createRegistryClient({ base: registryBase(gateway), headers: keyHeaders(key) });
}

async function list({ json, ...options }: GatewayOptions & { json?: true }): Promise<void> {
  const registry = openRegistry(options);
  let cursor: string | undefined;
  do {
    const page = await registry.listModels({
      query: { limit: 100, ...(cursor !== undefined && { cursor }) },
    });
    for (const record of page.models) {
      console.log(json ? JSON.stringify(record) : describe(record));
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

function describe({ model_id, version, status, aliases, total_size_bytes }: VersionRecord): string {
  const names = aliases.length > 0 ? `  ${aliases.join(',')}` : '';
  return `${model_id}@${version}  ${status}  ${total_size_bytes} bytes${names}`;
}

type PullOptions = GatewayOptions & { readonly output: string; readonly alias?: string };

async function pull(model: string, { output, alias, ...options }: PullOptions): Promise<void> {
  refuseUsed(output);
  const [modelId = '', version] = model.split('@');
  const registry = openRegistry(options);
  // The version is fixed first: an alias may be moved between two files.
  const record = await registry.getModel({ params: { id: modelId }, query: { version, alias } });
  const files = record.files.map(async ({ filename, size_bytes }) => {
    const bytes = await registry.download({ modelId, version: record.version, filename });
    console.error(`${filename} (${size_bytes} bytes)`);
    return [filename, bytes] as const;
  });
  await writeFolder(output, new Map(await Promise.all(files)));
  console.log(`${modelId}@${record.version} is in ${output}`);
}

/** Files in a folder are not replaced. */
function refuseUsed(output: string): void {
  if (!existsSync(output) || readdirSync(output).length === 0) return;
  throw new EngineError('invalid-setting', `--output is ${output}, which is not empty`);
}
