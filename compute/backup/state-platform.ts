import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../process/operator-error.ts';
import { claimStateFolder } from '../launcher/state-folder.ts';

interface OpenedState {
  readonly gateway: string;
  close(): Promise<void>;
}

/**
 * Starts the Worker alone on a state folder, on a port of its own that only this machine reaches.
 *
 * @throws OperatorError where there is no such folder, or a platform runs on it
 */
export async function openState(
  dir: string,
  { isNew }: { readonly isNew: boolean },
): Promise<OpenedState> {
  if (!isNew && !existsSync(dir)) throw new OperatorError(`--state: there is no folder ${dir}`);
  const state = claimStateFolder(dir);
  const pages = mkdtempSync(join(tmpdir(), 'spikegrid-pages-'));
  writeFileSync(join(pages, 'index.html'), '<!doctype html>');
  const { startControlPlane } = await import('../launcher/control-plane.ts');
  const plane = await startControlPlane({
    configPath: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
    host: '127.0.0.1',
    sockets: [{ entrypoint: 'GatewayService', port: 0 }],
    stateDir: state.workerDir,
    dashboardDir: pages,
    vars: { AUTH_MODE: 'local' },
  });
  const { origin } = await plane.address('GatewayService');
  return {
    gateway: origin,
    async close() {
      await plane.dispose();
      state.release();
      rmSync(pages, { recursive: true });
    },
  };
}
