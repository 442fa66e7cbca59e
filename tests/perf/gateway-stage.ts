import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startControlPlane } from '../../compute/launcher/control-plane.ts';
import type { ServiceRegistrationInput } from '../../edge/contract/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The real gateway in workerd with a state of its own, and no dashboard. */
export interface Stage {
  readonly url: URL;
  register(service: ServiceRegistrationInput): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-perf-'));
  const plane = await startControlPlane({
    configPath: join(root, 'wrangler.toml'),
    host: '127.0.0.1',
    sockets: [{ entrypoint: 'GatewayService', port: 0 }],
    stateDir: folder,
    dashboardDir: folder,
    vars: { AUTH_MODE: 'local', TARGET_ALLOWLIST: ['127.0.0.0/8'] },
  });
  const url = await plane.address('GatewayService');
  return {
    url,
    register: async (service) => {
      const answer = await fetch(new URL('/services/register', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(service),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    close: async () => {
      await plane.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
