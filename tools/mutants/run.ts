import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Trial } from './tests.ts';
import type { Ran, Request } from './vitest-process.ts';

/** A test that takes longer says nothing: the fault may never end, or the machine be busy. */
const LIMIT_MS = 45_000;

/** Runs test files of a checkout, one at a time. */
export function createTestRunner(root: string) {
  const open = openVitest(root);

  /** As `npm test` does where something is built first, otherwise in a Vitest that stays open. */
  return (trial: Trial, changed: string): Promise<Ran> => {
    // The bundle of the Worker is kept while its modules are the same, whatever became of its bundler.
    if (changed.startsWith('compute/launcher/')) rmSync(join(root, 'dist/worker'), REMOVAL);
    const isScript = trial.isBuilt || isLong(trial.test);
    return isScript ? runScript(root, trial) : open({ ...trial, changed });
  };
}

const REMOVAL = { recursive: true, force: true };
const isLong = (test: string) => test.includes('.full.test.');

async function runScript(root: string, { test, only }: Trial): Promise<Ran> {
  const script = isLong(test) ? 'test:full' : 'test';
  const some = only === undefined ? [] : ['-t', only];
  const project = `--project=${test.split('/')[1]}`;
  const args = ['tools/run.mjs', script, project, '--bail=1', test, ...some];
  // As npm does: the runners start with the Node that is found first.
  const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH']}` };
  const child = spawn(process.execPath, args, { cwd: root, detached: true, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  const kill = () => endGroup(child);
  const timer = setTimeout(kill, LIMIT_MS);
  process.once('exit', kill);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  process.off('exit', kill);
  if (code === null) return { result: 'endless' };
  if (code === 0) return { result: 'passed' };
  const [message] = /^FAILED [^\n]*\n[^\n]*/m.exec(output) ?? [];
  if (!message || /named no test/.test(message)) return { result: 'nothing' };
  return { result: 'failed', message };
}

/** Holds the process of vitest-process.ts, and starts another one where a fault never ends. */
function openVitest(root: string) {
  let open: ChildProcess | undefined;
  const end = () => {
    if (open) endGroup(open);
    open = undefined;
  };
  process.on('exit', end);

  async function start(): Promise<ChildProcess> {
    const file = join(import.meta.dirname, 'vitest-process.ts');
    const child = fork(file, { cwd: root, detached: true });
    open = child;
    await once(child, 'message');
    return child;
  }

  return async (request: Request): Promise<Ran> => {
    const child = open ?? (await start());
    child.send(request);
    try {
      const [ran] = await once(child, 'message', { signal: AbortSignal.timeout(LIMIT_MS) });
      return ran as Ran;
    } catch {
      end();
      return { result: 'endless' };
    }
  };
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
