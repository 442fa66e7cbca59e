import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/node/launcher.js', import.meta.url));

/** The highest port above the base that the launcher takes. */
const PORTS = 6;

/** Options for a platform without what runs beside it. */
export const ALONE = ['--no-trainer', '--no-inference', '--no-plugins'];

/** The platform as `npm start` runs it, in a process of its own. */
export interface GatewayProcess {
  readonly url: string;
  /** Starts it again after `stop`, on the same port and with the same state. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it at once, as a cut of the power would. */
  kill(): Promise<void>;
  readonly pid: number;
  /** The key that its first start has made. */
  firstKey(): string;
}

/**
 * @param dashboard the folder of a built dashboard
 * @param state where it keeps what it stores
 * @param options further ones of the launcher
 */
export async function startGateway(
  dashboard: string,
  state: string,
  options: readonly string[] = [],
): Promise<GatewayProcess> {
  const portBase = await freePortBase();
  const args = [
    '--no-open',
    '--port-base',
    `${portBase}`,
    '--dashboard',
    dashboard,
    '--state',
    state,
    ...options,
  ];
  let running = await launch(args);
  return {
    url: `http://127.0.0.1:${portBase}`,
    start: async () => {
      running = await launch(args);
    },
    stop: () => running.end('SIGTERM'),
    kill: () => running.end('SIGKILL'),
    get pid() {
      return running.pid;
    },
    firstKey: () => readFileSync(join(state, 'bootstrap-key'), 'utf8').trim(),
  };
}

interface Running {
  readonly pid: number;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Settles once the process says that it runs. */
async function launch(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let output = '';
  const ready = new Promise<void>((resolve) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Ctrl-C')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
  });
  await Promise.race([ready, exited]);
  const { pid } = child;
  if (child.exitCode !== null || pid === undefined)
    throw new Error(`the launcher ended: ${output}`);
  return {
    pid,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** A base whose ports are free now; nothing keeps them so. Below those the system hands out itself. */
async function freePortBase(): Promise<number> {
  for (;;) {
    const base = randomInt(20_000, 30_000);
    const ports = Array.from({ length: PORTS }, (_, offset) => base + offset);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return base;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  // A port that is taken rejects it.
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  const answer = await listening;
  server.close();
  return answer;
}
