import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { callEndpoint, type Http, openHttp } from '../../edge/contract/client.ts';
import { pluginEndpoints } from '../../edge/plugins/endpoints.ts';
import { EngineError, type PluginManager, type PluginReport } from '../../engine/index.ts';
import { inputsOf, outputsOf, recordOf } from '../plugin-host/wire.ts';
import { parseGrants } from '../plugins/grants.ts';
import { MANIFEST_FILE, type PluginManifest } from '../plugins/manifest.ts';
import { readPluginFiles, readPluginFolder } from '../plugins/plugin-folder.ts';
import { PluginLoader } from '../plugins/plugin-loader.ts';
import { initializePluginSystem } from '../plugins/plugin-system.ts';
import { atGateway, type GatewayOptions, openGateway } from './gateway-access.ts';
import { readJsonFile } from './network-file.ts';
import { type PluginFlags, pluginFolders } from './plugin-folders.ts';

export function pluginsCommand(): Command {
  return new Command('plugins')
    .addCommand(
      pluginFolders(new Command('list'))
        .description('List built-in plugins and those of folders, with the faults of invalid ones.')
        .option('--json', 'one JSON object per line')
        .action(list),
    )
    .addCommand(
      pluginFolders(new Command('info'))
        .description('Show the metadata of a plugin as JSON.')
        .argument('<name>', 'a plugin')
        .action(info),
    )
    .addCommand(
      new Command('hash')
        .description("The SHA-256 of a plugin's files, for its manifest.")
        .argument('<dir>', 'the folder of a plugin')
        .option('--write', 'write the manifest to plugin.json')
        .action(hash),
    )
    .addCommand(
      pluginFolders(new Command('check'))
        .description('Check a plugin as a host would: manifest, files, metadata, activation.')
        .argument('<dir>', 'the folder of a plugin')
        .action(check),
    )
    .addCommand(
      pluginFolders(new Command('execute'))
        .description('Execute a plugin once and print its output as JSON.')
        .argument('<name>', 'a plugin')
        .argument('<file>', 'its inputs as JSON, arrays as {"shape", "data"}')
        .action(execute),
    )
    .addCommand(steering('activate', 'Activate a plugin of a host, or retry a failed one.'))
    .addCommand(steering('deactivate', 'Deactivate a plugin of a host.'));
}

async function list({ json, ...flags }: PluginFlags & { json?: true }): Promise<void> {
  await withPlugins(flags, async (manager) => {
    for (const report of manager.listPlugins()) {
      console.log(json ? JSON.stringify(recordOf(report)) : lineOf(report));
    }
    for (const { source, reason } of manager.refused) console.error(`refused ${source}: ${reason}`);
  });
}

function lineOf({ metadata: { name, type, version, description } }: PluginReport): string {
  return `${name.padEnd(28)} ${type.padEnd(13)} ${version.padEnd(7)} ${description}`;
}

async function info(name: string, flags: PluginFlags): Promise<void> {
  await withPlugins(flags, async (manager) => {
    console.log(JSON.stringify(recordOf(find(manager, name).report), null, 2));
  });
}

async function hash(dir: string, { write }: { write?: true }): Promise<void> {
  const { sha256 } = await readPluginFiles(dir);
  if (write) {
    const place = join(dir, MANIFEST_FILE);
    const manifest = await readJsonFile(place);
    await writeFile(place, `${JSON.stringify({ ...(manifest as object), sha256 }, null, 2)}\n`);
  }
  console.log(sha256);
}

async function check(dir: string, { plugins, grant }: PluginFlags): Promise<void> {
  const { manifest, files, folder } = await readPluginFolder(dir);
  console.log(`manifest   ${manifest.name} ${manifest.version} (${manifest.type})`);
  console.log(`files      ${files.size}, as sha256 says`);
  await withPlugins({ plugins: [...plugins, dir], grant }, async (manager) => {
    const own = manager.refused.find(({ source }) => source === folder);
    if (own) throw new EngineError('plugin-refused', own.reason);
    await activateUpTo(manager, manifest.name);
    console.log(`isolated   ${placeOf(manifest)}, says what its manifest says`);
    console.log('active     initialized and activated');
  });
}

const placeOf = ({ permissions }: PluginManifest) =>
  `started in a ${permissions.length === 0 ? 'workerd' : 'process of Node'} of its own`;

async function execute(name: string, file: string, flags: PluginFlags): Promise<void> {
  const given = await readJsonFile(file);
  await withPlugins(flags, async (manager) => {
    await activateUpTo(manager, name);
    const { plugin, report } = find(manager, name);
    const inputs = inputsOf(report.metadata.inputs, given as Readonly<Record<string, unknown>>);
    console.log(JSON.stringify(outputsOf(await manager.executePlugin(plugin, inputs))));
  });
}

function steering(action: 'activate' | 'deactivate', description: string): Command {
  const endpoint = pluginEndpoints[`${action}Plugin`];
  return atGateway(new Command(action), 'admin')
    .description(description)
    .option('--host-name <name>', "the host's segment behind the gateway", 'plugin-host')
    .argument('<name>', 'a plugin')
    .action(async (name: string, options: GatewayOptions & { hostName: string }) => {
      const { body } = await callEndpoint(hostAt(options), endpoint, { params: { name } });
      console.log(`${body.name} is ${body.status}`);
    });
}

function hostAt({ hostName, ...options }: GatewayOptions & { hostName: string }): Http {
  const { base, headers } = openGateway(options);
  return openHttp({ base: `${base}/${hostName}`, headers: { ...headers } });
}

/** @throws EngineError plugin-refused with the reason of the first that does not run */
async function activateUpTo(manager: PluginManager, name: string): Promise<void> {
  const { plugin, report } = find(manager, name);
  for (const dependency of Object.keys(report.metadata.dependencies)) {
    if (manager.findPlugin(dependency)) await activateUpTo(manager, dependency);
  }
  const isUp =
    report.status === 'ACTIVE' ||
    ((await manager.initializePlugin(plugin)) && (await manager.activatePlugin(plugin)));
  if (!isUp) throw new EngineError('plugin-refused', `${name}: ${manager.reasonOf(plugin)}`);
}

function find(manager: PluginManager, name: string) {
  const plugin = manager.findPlugin(name);
  const report = plugin && manager.inspectPlugin(plugin);
  if (plugin && report) return { plugin, report };
  const known = manager.listPlugins().map(({ metadata }) => metadata.name);
  throw new EngineError(
    'plugin-refused',
    `there is no plugin ${name}, expected ${known.join(', ')}`,
  );
}

async function withPlugins(
  { plugins, grant }: PluginFlags,
  work: (manager: PluginManager) => Promise<void>,
): Promise<void> {
  const loader = new PluginLoader({ grants: parseGrants(grant) });
  const manager = await initializePluginSystem(plugins, { loader });
  try {
    await work(manager);
  } finally {
    await manager.close();
  }
}
