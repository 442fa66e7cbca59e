import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { note } from './report.ts';

/** A program of another library, in a process of its own that works only on request. */
export interface Peer {
  readonly name: string;
  /** Has it work once; resolves to what it measured: milliseconds, and the loss where it has one. */
  work(): Promise<PeerResult>;
  close(): void;
}

export interface PeerResult {
  readonly ms: number;
  readonly loss?: number;
}

type Message = (PeerResult & { readonly error?: undefined }) | { readonly error: string };

const folder = fileURLToPath(new URL('./peers/', import.meta.url));
/** A peer that says nothing for so long is taken for one that cannot run here. */
const PATIENCE_MS = 180_000;

/** Installs what the lockfile of tests/perf/peers names, once; whether it is there. */
function installPeers(): boolean {
  const stamp = join(folder, 'node_modules/.spikegrid-lock');
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return true;
  note('installing the peers (npm ci) …');
  const npm = process.env['npm_execpath'];
  const [file, prefix] = npm ? [process.execPath, [npm]] : ['npm', []];
  const argv = [...prefix, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync(file, argv, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status === 0) writeFileSync(stamp, lock);
  else note(`npm ci failed with exit code ${status}: the peers are absent`);
  return status === 0;
}

export interface PeerProgram {
  readonly name: string;
  /** Of tests/perf/peers, without `.mjs`. */
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Starts the programs and has each work once, so that it is warm. One that cannot run is absent, with
 * the reason on standard error.
 */
export async function startPeers(programs: readonly PeerProgram[]): Promise<Peer[]> {
  if (!installPeers()) return [];
  const peers: Peer[] = [];
  for (const program of programs) {
    const peer = await startPeer(program);
    if (peer) peers.push(peer);
  }
  return peers;
}

async function startPeer({ name, program, args }: PeerProgram): Promise<Peer | undefined> {
  const child = fork(join(folder, `${program}.mjs`), args, {
    // Standard output is for measurements alone.
    stdio: ['ignore', 2, 'inherit', 'ipc'],
  });
  const peer: Peer = {
    name,
    async work() {
      child.send('work');
      const message = await nextMessage(child);
      if (message.error !== undefined) throw new Error(message.error);
      return message;
    },
    close: () => void child.kill('SIGKILL'),
  };
  try {
    const { ms } = await peer.work();
    note(`${name}: first ${ms.toFixed(0)} ms`);
    return peer;
  } catch (error) {
    peer.close();
    note(`${name} is absent: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function nextMessage(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      child.off('message', hear).off('exit', end);
      act();
    };
    const hear = (message: Message) => settle(() => resolve(message));
    const end = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`its process ended with ${code ?? signal}`)));
    const timer = setTimeout(
      () => settle(() => reject(new Error(`it was silent for ${PATIENCE_MS / 1000} s`))),
      PATIENCE_MS,
    );
    child.on('message', hear).on('exit', end);
  });
}
