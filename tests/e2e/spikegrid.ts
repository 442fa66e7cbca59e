import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const main = fileURLToPath(new URL('../../dist/node/spikegrid.js', import.meta.url));

/** Runs the command line to its end. Rejects with what it said where it fails. */
export const runSpikegrid = (...args: string[]) =>
  promisify(execFile)(process.execPath, [main, ...args]);

/** Starts a command that runs until it is stopped, once it says `ready`. */
export async function startSpikegrid(ready: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const started = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(ready)) resolve();
    });
  });
  await Promise.race([started, once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`spikegrid ended: ${said}`);
  return child;
}
