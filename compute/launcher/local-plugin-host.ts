import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BootstrapKey } from './bootstrap-key.ts';
import { hostOf } from './local-inference.ts';
import { type LocalProcess, startLocalProcess, type Watch } from './local-process.ts';

interface LocalPluginHostOptions {
  readonly root: string;
  readonly stateDir: string;
  readonly gateway: string;
  readonly address: URL;
  readonly auth: 'local' | 'required';
  readonly key: BootstrapKey | undefined;
  /** NAME=network of each plugin that may use the network. */
  readonly grants: readonly string[];
  readonly watch: Watch;
}

export interface LocalPluginHost extends LocalProcess {
  readonly pluginDir: string;
}

/** How long plugins may take to end. */
const PATIENCE_MS = 12_000;

/**
 * Starts the plugin host of this machine: folders put into `plugins` of the state folder are served. It
 * registers with the gateway by itself, which has to be there.
 */
export function startLocalPluginHost(options: LocalPluginHostOptions): LocalPluginHost {
  const { root, stateDir, gateway, address, auth, key, grants, watch } = options;
  const pluginDir = join(stateDir, 'plugins');
  mkdirSync(pluginDir, { recursive: true });
  const place = ['--host', hostOf(address), '--port', address.port, '--auth', auth];
  const granted = grants.flatMap((grant) => ['--grant', grant]);
  const folders = ['--plugins', pluginDir, ...granted, '--watch'];
  const args = ['plugin-host', '--gateway', gateway, ...place, ...folders];
  const child = startLocalProcess({
    root,
    name: 'plugin-host',
    args,
    key,
    patienceMs: PATIENCE_MS,
    watch,
  });
  return { ...child, pluginDir };
}
