import type { BootstrapKey } from './bootstrap-key.ts';
import { hostOf, loopbackAddress } from './local-inference.ts';
import { type LocalPluginHost, startLocalPluginHost } from './local-plugin-host.ts';
import type { LocalProcess, Watch } from './local-process.ts';
import { INFERENCE, PLUGIN_HOST, TEST_HOST } from './local-services.ts';
import { startLocalTestHost } from './local-test-host.ts';
import { type LocalTrainer, startLocalTrainer } from './local-trainer.ts';
import type { LaunchOptions } from './options.ts';
import { claimPorts } from './ports.ts';

/** Where the processes beside the Worker listen; undefined where one is not to start. */
export interface PlacesBeside {
  readonly inference: URL | undefined;
  readonly plugins: URL | undefined;
  readonly tests: URL | undefined;
}

/** @throws OperatorError naming a port that is taken */
export async function claimBeside(options: LaunchOptions): Promise<PlacesBeside> {
  const { host, portBase, inference, plugins, tests } = options;
  const at = ({ portOffset }: { readonly portOffset: number }) =>
    loopbackAddress(host, portBase + portOffset);
  const places = {
    inference: inference === 'start' ? at(INFERENCE) : undefined,
    plugins: plugins === 'start' ? at(PLUGIN_HOST) : undefined,
    tests: tests === 'start' ? at(TEST_HOST) : undefined,
  };
  for (const address of Object.values(places)) {
    if (address) await claimPorts(hostOf(address), [Number(address.port)]);
  }
  return places;
}

export interface BesideOptions {
  readonly root: string;
  readonly gateway: string;
  readonly key: BootstrapKey | undefined;
  readonly plugins: URL | undefined;
  readonly tests: URL | undefined;
  readonly watch: Watch;
}

/** What runs once the gateway is there. */
export interface Beside {
  readonly trainer: LocalTrainer | undefined;
  readonly pluginHost: LocalPluginHost | undefined;
  readonly testHost: LocalProcess | undefined;
}

/** Starts what turns to the gateway by itself. */
export function startBeside(
  { stateDir, auth, grants, trainer }: LaunchOptions,
  { root, gateway, key, plugins, tests, watch }: BesideOptions,
): Beside {
  const shared = { root, stateDir, gateway, key, watch };
  return {
    trainer: trainer === 'start' ? startLocalTrainer(shared) : undefined,
    pluginHost: plugins && startLocalPluginHost({ ...shared, address: plugins, auth, grants }),
    testHost: tests && startLocalTestHost({ ...shared, address: tests, auth }),
  };
}
