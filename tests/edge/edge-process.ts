import { join } from 'node:path';
import { startControlPlane } from '../../compute/launcher/control-plane.ts';

/** The Worker on a state folder, as a process that may have a disk of its own. It prints where the gateway is. */
const [root = '', folder = '', vars = '{}'] = process.argv.slice(2);
const plane = await startControlPlane({
  configPath: join(root, 'wrangler.toml'),
  host: '127.0.0.1',
  sockets: [{ entrypoint: 'GatewayService', port: 0 }],
  stateDir: join(folder, 'state'),
  dashboardDir: folder,
  vars: { AUTH_MODE: 'local', ...(JSON.parse(vars) as object) },
});
console.log((await plane.address('GatewayService')).href);
// It does not outlive whoever started it.
process.stdin.on('end', () => plane.dispose().finally(() => process.exit(0))).resume();
