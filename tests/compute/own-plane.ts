import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startControlPlane } from '../../compute/launcher/control-plane.ts';
import { watchOrigin } from '../edge/answer-log.ts';
import { temporaryFolder } from './spikegrid-process.ts';

/**
 * The Worker behind its gateway without a launcher of its own, for tests of what turns to the gateway:
 * it starts in half the time.
 */
export interface OwnPlane {
  readonly gateway: string;
  /** A folder that goes with it, for files of the test. */
  readonly folder: string;
  end(): Promise<void>;
}

/** Starts it where nobody needs a key, as `npm start` does: services of this machine may be registered. */
export async function startOwnPlane(): Promise<OwnPlane> {
  const { path: folder, remove } = temporaryFolder();
  const dashboardDir = join(folder, 'dashboard');
  mkdirSync(dashboardDir);
  const plane = await startControlPlane({
    configPath: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
    host: '127.0.0.1',
    sockets: [{ entrypoint: 'GatewayService', port: 0 }],
    stateDir: join(folder, 'state'),
    dashboardDir,
    vars: { AUTH_MODE: 'local', TARGET_ALLOWLIST: ['*', '127.0.0.0/8'] },
  });
  const address = await plane.address('GatewayService');
  watchOrigin(address, '');
  const { origin: gateway } = address;
  return {
    gateway,
    folder,
    async end() {
      await plane.dispose();
      remove();
    },
  };
}
