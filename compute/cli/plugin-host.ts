import { Command } from 'commander';
import { parseDevice } from '../../engine/index.ts';
import type { AuthMode } from '../http/peers.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { parseGrants } from '../plugins/grants.ts';
import { listenOptions, workersOption } from './listen-options.ts';
import { gatewayOption, keyHeaders } from './gateway-access.ts';
import { wholeUpTo } from './numbers.ts';
import { type DeviceFlags, openNodeDevice, serviceDevice } from './open-device.ts';
import { type PluginFlags, pluginFolders } from './plugin-folders.ts';
import { placeOf, untilStopped } from './until-stopped.ts';

interface HostOptions extends PluginFlags {
  readonly gateway: string;
  readonly key?: string;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly auth: AuthMode;
  readonly connect?: true;
  readonly device: string;
  readonly workers: number;
  readonly timeLimit: number;
  readonly watch?: true;
}

const PORT = 8005;

export function pluginHostCommand(): Command {
  return listenOptions(pluginFolders(new Command('plugin-host')), PORT)
    .option('--gateway <url>', 'the gateway', gatewayOption, 'http://127.0.0.1:8000')
    .option('--key <key>', 'a key with the scope admin (default: SPIKEGRID_KEY)')
    .option('--name <name>', 'path segment behind the gateway', 'plugin-host')
    .addOption(serviceDevice('device of built-in plugins: cpu, gpu, wasm, webgpu or auto'))
    .addOption(workersOption('concurrent executions'))
    .option('--time-limit <ms>', 'time limit of an execution', wholeUpTo(3_600_000), 60_000)
    .option('--watch', 'reload plugins when their files change')
    .action(serve);
}

async function serve(options: HostOptions): Promise<void> {
  const { gateway, key, plugins, grant, device, workers, timeLimit, watch, ...place } = options;
  const choice = parseDevice(device);
  const flags: DeviceFlags = { device: choice, ...(choice === 'wasm' && { threads: 1 }) };
  const host = new PluginHost({
    ...place,
    gateway: gateway.replace(/\/+$/, ''),
    headers: keyHeaders(key),
    directories: plugins,
    grants: parseGrants(grant),
    openBackend: () => openNodeDevice(flags),
    executeMs: timeLimit,
    workers,
    isWatching: watch === true,
  });
  await host.start();
  const fault = host.registrationFault;
  const { port = 0, connection } = host;
  console.error(`plugins ${placeOf(options.host, { port, connection })}; Ctrl-C stops`);
  if (fault !== undefined) console.error(`the gateway does not know it yet: ${fault}`);
  await untilStopped({
    connection,
    farewell: 'stopping: leaves the gateway first',
    stop: (isRefused) => host.stop(isRefused ? 0 : undefined),
  });
}
