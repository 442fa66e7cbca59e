import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  convertV4MiniflareOptions,
  CoreHeaders,
  type Json,
  Log,
  LogLevel,
  Miniflare,
  Response,
  type V4WorkerOptionsShape,
} from 'miniflare';
import { parseGeoConfig } from '../../edge/geo/contract/config.ts';
import { quotasIn } from '../../edge/http/ownership.ts';
import { OperatorError } from '../process/operator-error.ts';
import { bundleWorker, type WorkerBundle } from './worker-bundle.ts';
import { readWorkerConfig } from './worker-config.ts';

/** How often it is looked whether workerd is there. */
const REVIVE_MS = 500;

/**
 * Has workerd tell the Worker the other end of each connection, as `cf.clientIp`. Otherwise Miniflare has it
 * take `request.cf` from a header, which is whatever the caller wrote.
 */
function tellPeers(isBehindNetwork = false): void {
  Object.assign(CoreHeaders, { CF_BLOB: isBehindNetwork ? CF_BLOB : undefined });
}

const { CF_BLOB } = CoreHeaders;

/** Wrangler's type of worker options has an index signature, which hides what it knows of them. */
type Bindings = Record<string, Json>;

/** An entrypoint of the Worker and the port it is served on. */
interface Socket {
  readonly entrypoint: string;
  /** Any free port where it is 0. */
  readonly port: number;
}

interface ControlPlaneOptions {
  /** The one wrangler.toml. */
  readonly configPath: string;
  readonly host: string;
  readonly sockets: readonly Socket[];
  /** Where objects and files are kept; nowhere where it is left out. */
  readonly stateDir?: string;
  /** The built dashboard, instead of the folder wrangler.toml names. */
  readonly dashboardDir?: string;
  /** Takes `request.cf` from the header MF-CF-Blob, as if Cloudflare had seen the caller: for tests. */
  readonly isBehindNetwork?: true;
  /** Settings that take the place of those under [vars]. */
  readonly vars?: Readonly<Record<string, unknown>>;
  /** Services of this process, by the names of their bindings: what the Worker asks them, they answer. */
  readonly services?: Readonly<Record<string, () => unknown>>;
}

export interface ControlPlane {
  /** Where an entrypoint answers. */
  address(entrypoint: string): Promise<URL>;
  dispose(): Promise<void>;
}

/**
 * Starts the Worker in workerd, with everything wrangler.toml binds, on one socket per service.
 * It makes no request of its own.
 *
 * @throws where a port is taken, a setting is not as expected (OperatorError), or the Worker cannot be
 *   bundled or started; nothing is left running
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { configPath, host, sockets, stateDir, dashboardDir, vars, services = {} } = options;
  const { name, main, options: found, externalWorkers } = await readWorkerConfig(configPath);
  const { modulesRules: _, ...worker } = found;
  const assets = worker['assets'] as V4WorkerOptionsShape['assets'];
  const bindings = { ...(worker['bindings'] as object | undefined), ...vars } as Bindings;
  checkSettings(bindings);
  const settings = convertV4MiniflareOptions({
    // Miniflare's own port, which is not needed: only this machine may reach it.
    host: '127.0.0.1',
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.WARN),
    logRequests: false,
    ...(stateDir !== undefined && { resourcePersistencePath: stateDir }),
    workers: [
      {
        ...worker,
        name,
        ...(assets && { assets: { ...assets, directory: dashboardDir ?? assets.directory } }),
        modules: modulesOf(await bundleWorker(dirname(configPath), main)),
        bindings,
        serviceBindings: {
          PUBLIC_NETWORK: { network: { allow: ['public'] } },
          ...(stateDir !== undefined && { DISK_SPACE: freeSpaceOf(stateDir) }),
          ...answering(services),
        },
        unsafeDirectSockets: sockets.map((socket) => ({ host, ...socket })),
      },
      ...externalWorkers,
    ],
  });
  tellPeers(options.isBehindNetwork);
  const miniflare = new Miniflare(settings);
  try {
    await miniflare.ready;
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
  const disposed = new AbortController();
  void keepAlive(miniflare, settings, disposed.signal);
  return {
    address: (entrypoint) => miniflare.unsafeGetDirectURL(name, entrypoint),
    dispose() {
      disposed.abort();
      return miniflare.dispose();
    },
  };
}

/** Answers with the bytes that are free where the state lies. */
const freeSpaceOf = (stateDir: string) => async () => {
  const { bavail, bsize } = await statfs(stateDir);
  return new Response(String(bavail * bsize));
};

function answering(services: Readonly<Record<string, () => unknown>>) {
  const handlers = Object.entries(services).map(
    ([name, answer]) => [name, () => Response.json(answer())] as const,
  );
  return Object.fromEntries(handlers);
}

/** A mistake that the Worker would refuse at its first request is reported before it starts. */
function checkSettings(bindings: Bindings): void {
  try {
    parseGeoConfig(bindings['GEO_NODE_MANAGER']);
    quotasIn(bindings['QUOTAS']);
  } catch (error) {
    throw error instanceof TypeError ? new OperatorError(error.message) : error;
  }
}

/**
 * Miniflare starts a workerd that crashed again, but gives up where that one crashes before it is
 * ready: from then on nothing would answer. Here it is tried again, for as long as it takes.
 */
async function keepAlive(
  miniflare: Miniflare,
  settings: ConstructorParameters<typeof Miniflare>[0],
  disposed: AbortSignal,
): Promise<void> {
  while (!disposed.aborted) {
    await miniflare.ready.catch(() => miniflare.setOptions(settings)).catch(() => undefined);
    await sleep(REVIVE_MS, undefined, { signal: disposed, ref: false }).catch(() => undefined);
  }
}

function modulesOf({ script, wasm }: WorkerBundle) {
  const compiled = Array.from(wasm, ([path, contents]) => ({
    type: 'CompiledWasm' as const,
    path,
    contents,
  }));
  return [{ type: 'ESModule' as const, path: 'worker.js', contents: script }, ...compiled];
}
