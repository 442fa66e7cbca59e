import type { BootstrapKey } from './bootstrap-key.ts';
import { hostOf, loopbackAddress } from './local-inference.ts';
import { type LocalPluginHost, startLocalPluginHost } from './local-plugin-host.ts';
import { type LocalProcess, startLocalProcess, type Watch } from './local-process.ts';
import { INFERENCE, PLUGIN_HOST, TEST_HOST } from './local-services.ts';
import { type LocalTrainer, startLocalTrainer } from './local-trainer.ts';
import type { LaunchOptions } from './options.ts';
import { claimPorts } from './ports.ts';
import { join } from 'node:path';

/** Addresses of the companion processes of the Worker; undefined where one is not to start. */
interface CompanionAddresses {
  readonly inference: URL | undefined;
  readonly plugins: URL | undefined;
  readonly tests: URL | undefined;
}

/** @throws OperatorError naming a port that is taken */
export async function claimCompanionPorts(options: LaunchOptions): Promise<CompanionAddresses> {
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

interface CompanionOptions {
  readonly root: string;
  readonly gateway: string;
  readonly key: BootstrapKey | undefined;
  readonly plugins: URL | undefined;
  readonly tests: URL | undefined;
  readonly watch: Watch;
}

/** Processes that start once the gateway is there. */
export interface Companions {
  readonly trainer: LocalTrainer | undefined;
  readonly pluginHost: LocalPluginHost | undefined;
  readonly testHost: LocalProcess | undefined;
}

/** Starts what turns to the gateway by itself. */
export function startCompanions(
  { stateDir, auth, grants, trainer }: LaunchOptions,
  { root, gateway, key, plugins, tests, watch }: CompanionOptions,
): Companions {
  const shared = { root, stateDir, gateway, key, watch };
  return {
    trainer: trainer === 'start' ? startLocalTrainer(shared) : undefined,
    pluginHost: plugins && startLocalPluginHost({ ...shared, address: plugins, auth, grants }),
    testHost: tests && startLocalTestHost({ ...shared, address: tests, auth }),
  };
}

interface LocalTestHostOptions {
  readonly root: string;
  readonly stateDir: string;
  readonly gateway: string;
  readonly address: URL;
  readonly auth: 'local' | 'required';
  readonly key: BootstrapKey | undefined;
  readonly watch: Watch;
}

/** How long a run may take to end. */
const PATIENCE_MS = 12_000;

/** Starts the host of tests of this machine. It registers with the gateway by itself, which has to be there. */
function startLocalTestHost(options: LocalTestHostOptions): LocalProcess {
  const { root, stateDir, gateway, address, auth, key, watch } = options;
  const place = ['--host', hostOf(address), '--port', address.port, '--auth', auth];
  const runs = ['--runs', join(stateDir, 'test-runs')];
  const args = ['test-host', '--gateway', gateway, ...place, ...runs];
  return startLocalProcess({ root, name: 'test-host', args, key, patienceMs: PATIENCE_MS, watch });
}
