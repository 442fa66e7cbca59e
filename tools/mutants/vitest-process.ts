import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as VitestNode from 'vitest/node';
import type { Trial } from './tests.ts';

/**
 * A process that keeps Vitest open and runs one test file at a time, as run.ts asks it to over its
 * channel: starting Vitest anew takes longer than most tests of one module. It works in its current folder.
 */
interface Adapter {
  unpackSoftwareAdapter(want: { browser: boolean }): Promise<object>;
  softwareAdapterEnv(env: NodeJS.ProcessEnv, unpacked: object): NodeJS.ProcessEnv;
}
export interface Request extends Trial {
  /** The file that has the fault, or had it until now. */
  readonly changed: string;
}
export interface Ran {
  readonly result: 'passed' | 'failed' | 'endless' | 'nothing';
  readonly message?: string;
}

const root = process.cwd();
const load = (file: string) => import(pathToFileURL(join(root, file)).href);

// The libraries that a driver is found by are read when a process starts.
if (process.env['SPIKEGRID_FAULTS'] === undefined) startWithAdapter();
else await serve();

function startWithAdapter(): void {
  void load('tools/software-adapter.mjs').then(async (module: unknown) => {
    const { unpackSoftwareAdapter, softwareAdapterEnv } = module as Adapter;
    const unpacked = await unpackSoftwareAdapter({ browser: true });
    const env = softwareAdapterEnv({ ...process.env, SPIKEGRID_FAULTS: '1' }, unpacked);
    const child = spawn(process.execPath, [import.meta.filename], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    process.on('message', (message) => child.send(message as Request));
    child.on('message', (message) => process.send?.(message));
    child.on('exit', (code) => process.exit(code ?? 1));
    return undefined;
  });
}

async function serve(): Promise<void> {
  const { createVitest } = (await load('node_modules/vitest/dist/node.js')) as typeof VitestNode;
  const vitest = await createVitest('test', { watch: false, bail: 1, reporters: [{}] });
  await vitest.standalone();
  process.on('message', ({ changed, test, only }: Request) => {
    void answer(changed, test, only).then((ran) => process.send?.(ran));
  });
  let last = '';
  process.send?.('ready');

  async function answer(changed: string, test: string, only: string | undefined): Promise<Ran> {
    // The file of the request before has been restored since.
    for (const file of [last, changed]) vitest.invalidateFile(join(root, file));
    last = changed;
    // Failures of earlier requests would count towards `bail`.
    vitest.state.idMap.clear();
    vitest.state.filesMap.clear();
    if (only === undefined) vitest.resetGlobalTestNamePattern();
    else vitest.setGlobalTestNamePattern(new RegExp(only));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
      await vitest.globTestSpecifications([test]),
    );
    const errors = testModules.flatMap((module) => [
      ...Array.from(module.children.allTests('failed'), (one) => [
        one.fullName,
        ...(one.result().errors ?? []),
      ]),
      ...module.errors().map((error) => [test, error]),
    ]);
    const [name, error] = errors[0] ?? [test, unhandledErrors[0]];
    if (error) return { result: 'failed', message: `${String(name)}: ${messageOf(error)}` };
    const passed = testModules.some(
      (module) => Array.from(module.children.allTests('passed')).length > 0,
    );
    return { result: passed ? 'passed' : 'nothing' };
  }
}

const messageOf = (error: unknown) =>
  error instanceof Object && 'message' in error
    ? String(error.message).slice(0, 200)
    : String(error);
