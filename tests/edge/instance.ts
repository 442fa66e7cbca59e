import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = new URL('instance-process.ts', import.meta.url);

/** A service's instance in a process of its own. */
export interface Instance extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** Ends it with no chance to finish anything. */
  kill(): Promise<void>;
}

/** Starts a program that prints its port once it listens. */
export async function startInstance(name: string, program: URL = PROGRAM): Promise<Instance> {
  const child = spawn(process.execPath, [fileURLToPath(program), name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [port] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error(`the instance ${name} did not start`))),
  ]);
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return { name, url: `http://127.0.0.1:${port}`, kill, [Symbol.asyncDispose]: kill };
}
