import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface Ran {
  readonly code: number;
  /** Output on both streams. */
  readonly printed: string;
}

interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs wrangler with these arguments; no shell reads them. */
export type Wrangler = (args: readonly string[], options?: RunOptions) => Promise<Ran>;

/** The project's own wrangler, or another executable in its place. */
export function openWrangler(root: string, executable?: string): Wrangler {
  const own = [process.execPath, join(root, 'node_modules/wrangler/bin/wrangler.js')];
  const [file = '', ...before] = executable === undefined ? own : [executable];
  return async (args, { stdin = '', env = {} } = {}) => {
    const child = spawn(file, [...before, ...args], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_LOG_PATH: join(tmpdir(), 'spikegrid-wrangler'),
        NO_COLOR: '1',
        ...env,
      },
    });
    const ended = new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code ?? 1));
    });
    // One that ends without reading closes the pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, printed: `${out}${err}` };
  };
}
