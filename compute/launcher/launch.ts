import { OperatorError } from '../process/operator-error.ts';
import { type BootstrapKey, claimBootstrapKey } from './bootstrap-key.ts';
import { claimCompanionPorts, type Companions, startCompanions } from './companions-start.ts';
import { superviseCompanions } from './companions.ts';
import { buildDashboard } from './dashboard-build.ts';
import { startLocalInference } from './local-inference.ts';
import {
  DASHBOARD,
  INFERENCE,
  LOCAL_SERVICES,
  type LocalService,
  TEST_HOST,
} from './local-services.ts';
import type { LaunchOptions } from './options.ts';
import { asLaunchError, claimPorts } from './ports.ts';
import { claimStateFolder } from './state-folder.ts';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Services that people start on this machine may be registered here; a deployment allows none such. */
const LOOPBACK = ['localhost', '127.0.0.0/8', '[::1]'];

interface Running {
  /** Says where everything is and opens the browser; from here on people may stop it. */
  greet(): void;
  /** Ends every process that was started; what is stored stays. */
  stop(): Promise<void>;
}

/**
 * Starts everything.
 *
 * @throws OperatorError for what the person at the terminal can put right
 */
export async function launch(options: LaunchOptions, root: string): Promise<Running> {
  const started = performance.now();
  const state = claimStateFolder(options.stateDir);
  const sockets = LOCAL_SERVICES.map(({ entrypoint, portOffset }) => ({
    entrypoint,
    port: options.portBase + portOffset,
  }));
  const ports = sockets.map(({ port }) => port);
  await claimPorts(options.host, ports);
  const { inference, plugins, tests } = await claimCompanionPorts(options);
  const dashboardDir = await dashboardOf(options, root);
  // It may what no place may, such as running tests; what runs beside it needs a key only where all do.
  const firstKey = await claimBootstrapKey(options.stateDir);
  const key = options.auth === 'required' ? firstKey : undefined;
  const gateway = addressOf(options, DASHBOARD).replace(/\/$/, '');
  const companions = superviseCompanions({ gateway, key });
  const shared = { root, gateway, key, watch: companions.watch };
  const server =
    inference && (await startLocalInference({ ...shared, address: inference, auth: options.auth }));
  companions.add(server);
  // Only now: Miniflare takes a while to load, which a taken port need not wait for.
  const { startControlPlane } = await import('./control-plane.ts');
  const plane = await startControlPlane({
    configPath: join(root, 'wrangler.toml'),
    host: options.host,
    sockets,
    stateDir: state.workerDir,
    dashboardDir,
    vars: {
      AUTH_MODE: options.auth,
      BOOTSTRAP_KEY: firstKey.setting,
      TARGET_ALLOWLIST: ['*', ...LOOPBACK],
      UPSTREAMS: {
        ...options.upstreams,
        ...(inference && { [INFERENCE.name]: inference.origin }),
      },
      ...options.logs,
    },
    services: { COMPANIONS: () => companions.states() },
  }).catch(async (error: unknown) => {
    await companions.stop();
    throw asLaunchError(error, ports);
  });
  const later = startCompanions(options, { ...shared, plugins, tests });
  companions.add(later.trainer, later.pluginHost, later.testHost);
  const seconds = (performance.now() - started) / 1000;
  return {
    greet: () => {
      const shown = key ?? (tests && firstKey);
      console.log(welcome(options, seconds, { firstKey: shown, inference, ...later }));
      companions.show();
      if (options.browser === 'open') openBrowser(addressOf(options, DASHBOARD), process.env);
    },
    stop: async () => {
      // First: a trainer hands its job back to the platform, and answers are given to the end.
      await companions.stop();
      await plane.dispose();
      await companions.dismiss();
      state.release();
    },
  };
}

async function dashboardOf({ dashboardDir }: LaunchOptions, root: string): Promise<string> {
  return dashboardDir === undefined ? ownDashboard(root) : builtDashboard(dashboardDir);
}

function builtDashboard(dir: string): string {
  if (existsSync(join(dir, 'index.html'))) return dir;
  throw new OperatorError(`--dashboard is "${dir}", which holds no index.html`);
}

async function ownDashboard(root: string): Promise<string> {
  const build = buildDashboard(root);
  const slow = setTimeout(() => console.log('spikegrid: building the dashboard …'), 500);
  await build.finally(() => clearTimeout(slow));
  return join(root, 'dist/web');
}

function addressOf(
  { host, portBase }: Pick<LaunchOptions, 'host' | 'portBase'>,
  { portOffset, path }: Pick<LocalService, 'portOffset' | 'path'>,
): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = host.includes(':') ? `[${host}]` : host;
  return `http://${isEverywhere ? 'localhost' : name}:${portBase + portOffset}${path}`;
}

interface Greeted extends Companions {
  readonly firstKey: BootstrapKey | undefined;
  readonly inference: URL | undefined;
}

function welcome(
  options: LaunchOptions,
  seconds: number,
  { firstKey, inference, trainer, pluginHost, testHost }: Greeted,
): string {
  const rows = LOCAL_SERVICES.map((service) => [service.name, addressOf(options, service)]);
  const inferenceRows = inference ? [[INFERENCE.name, inference.origin + INFERENCE.path]] : [];
  const trainerRows = trainer ? [['trainer', `datasets in ${trainer.dataDir}`]] : [];
  const pluginRows = pluginHost ? [['plugins', `folders in ${pluginHost.pluginDir}`]] : [];
  const testRows = testHost ? [['tests', addressOf(options, TEST_HOST)]] : [];
  const keyRows = firstKey ? [['first key', `in ${firstKey.path}`]] : [];
  const lines = [
    ...rows,
    ['guide', `${addressOf(options, DASHBOARD)}guide/`],
    ...inferenceRows,
    ...trainerRows,
    ...pluginRows,
    ...testRows,
    ['state', options.stateDir],
    ...keyRows,
  ].map(([name = '', value]) => `  ${name.padEnd(10)}  ${value}`);
  return [
    `spikegrid runs (ready in ${seconds.toFixed(1)} s)`,
    '',
    ...lines,
    '',
    'Ctrl-C stops it; what is stored stays.',
  ].join('\n');
}

/** Shows an address in the person's browser where there is one; where not, nothing happens. */
function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const command = commandFor(process.platform, env);
  if (!command) return;
  const [file, ...args] = command;
  const opener = spawn(file, [...args, url], { detached: true, stdio: 'ignore' });
  opener.on('error', () => {});
  opener.unref();
}

function commandFor(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}
