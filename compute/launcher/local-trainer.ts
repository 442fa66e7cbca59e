import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BootstrapKey } from './bootstrap-key.ts';
import { type LocalProcess, startLocalProcess, type Watch } from './local-process.ts';

interface LocalTrainerOptions {
  readonly root: string;
  readonly stateDir: string;
  readonly gateway: string;
  readonly key: BootstrapKey | undefined;
  readonly watch: Watch;
}

export interface LocalTrainer extends LocalProcess {
  readonly dataDir: string;
}

/** How long a trainer may take to leave a checkpoint. */
const PATIENCE_MS = 20_000;

/** Starts a trainer of this machine beside the platform: what is submitted here is trained here. */
export function startLocalTrainer({
  root,
  stateDir,
  gateway,
  key,
  watch,
}: LocalTrainerOptions): LocalTrainer {
  const dataDir = join(stateDir, 'data');
  mkdirSync(dataDir, { recursive: true });
  const roots = ['--data', dataDir, '--output', join(stateDir, 'trainer')];
  const args = ['trainer', '--gateway', gateway, ...roots];
  const patienceMs = PATIENCE_MS;
  const child = startLocalProcess({ root, name: 'trainer', args, key, patienceMs, watch });
  return { ...child, dataDir };
}
