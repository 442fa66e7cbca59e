import { join } from 'node:path';
import type { BootstrapKey } from './bootstrap-key.ts';
import { hostOf } from './local-inference.ts';
import { type LocalProcess, startLocalProcess, type Watch } from './local-process.ts';

export interface LocalTestHostOptions {
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
export function startLocalTestHost(options: LocalTestHostOptions): LocalProcess {
  const { root, stateDir, gateway, address, auth, key, watch } = options;
  const place = ['--host', hostOf(address), '--port', address.port, '--auth', auth];
  const runs = ['--runs', join(stateDir, 'test-runs')];
  const args = ['test-host', '--gateway', gateway, ...place, ...runs];
  return startLocalProcess({ root, name: 'test-host', args, key, patienceMs: PATIENCE_MS, watch });
}
