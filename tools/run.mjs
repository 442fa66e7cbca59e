// The entry of every npm script. Plain JavaScript that Node 20 can run: on a fresh machine nothing
// else can run yet. It installs what the lockfile names, builds the kernels, unpacks the software adapter and starts
// the command with the Node that came along (node_modules/.bin/node).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const local = (/** @type {string} */ path) => join(root, path);

/**
 * The module that each npm script runs, and what has to be unpacked before it.
 * @satisfies {Record<string, { main: string, browser: boolean, args?: string[] }>}
 */
const COMMANDS = {
  start: { main: 'dist/node/launcher.js', browser: false },
  test: { main: 'tools/test.ts', browser: true },
  'test:full': { main: 'tools/test.ts', browser: true, args: ['--full'] },
  check: { main: 'tools/check.ts', browser: false },
  bench: { main: 'tools/bench.ts', browser: true },
  format: { main: 'tools/format.ts', browser: false },
  build: { main: 'dist/node/build.js', browser: false },
  deploy: { main: 'dist/node/deploy.js', browser: false },
  backup: { main: 'dist/node/backup.js', browser: false, args: ['backup'] },
  restore: { main: 'dist/node/backup.js', browser: false, args: ['restore'] },
  pack: { main: 'tools/pack/main.ts', browser: false },
  audit: { main: 'tools/audit.ts', browser: false },
  size: { main: 'tools/size.ts', browser: false },
  guide: { main: 'tools/guide.ts', browser: false },
  spikegrid: { main: 'dist/node/spikegrid.js', browser: false },
};

const HANDED_ON = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
const PARENT_CHECK_MS = 500;
const TURN_CHECK_MS = 200;

/** TypeScript is run by stripping its types, which Node does without a flag from here on. */
const OLDEST_NODE = [22, 18];

const [name = '', ...args] = process.argv.slice(2);
if (!isCommand(name))
  fail(`unknown command "${name}": expected ${Object.keys(COMMANDS).join(', ')}`);
/** @type {{ main: string, browser: boolean, args?: string[] }} */
const command = COMMANDS[name];

await install();
const node = pickNode();
const { buildKernels } = await import('./kernels.mjs');
const { bundleNode } = await import('./bundle.mjs');
const { softwareAdapterEnv, unpackSoftwareAdapter } = await import('./software-adapter.mjs');
const [unpacked] = await Promise.all([
  unpackSoftwareAdapter({ browser: command.browser }),
  buildKernels(node),
  bundleNode(),
]);
// Commands start many processes of the same modules: what one has compiled the others take.
const compiled = { NODE_COMPILE_CACHE: local('node_modules/.cache/compiled') };
const environment = softwareAdapterEnv({ ...compiled, ...process.env }, unpacked);
start(node, [local(command.main), ...(command.args ?? []), ...args], environment);

/** Runs `npm ci` unless node_modules was installed from exactly this lockfile. */
async function install() {
  const stamp = local('node_modules/.spikegrid-lock');
  const digest = createHash('sha256')
    .update(readFileSync(local('package-lock.json')))
    .digest('hex');
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
  if (isInstalled()) return;
  if (lstatSync(local('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail(
      'node_modules is a link and was installed from another lockfile: expected a folder of its own',
    );
  const release = await takeTurn();
  try {
    if (isInstalled()) return;
    process.stderr.write('spikegrid: installing dependencies (npm ci) …\n');
    const npm = process.env['npm_execpath'];
    const [file, prefix] = npm ? [process.execPath, [npm]] : ['npm', []];
    const ci = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync(file, [...prefix, ...ci], { cwd: root, stdio: ['ignore', 2, 2] });
    if (status !== 0) fail(`npm ci failed with exit code ${status}; its messages stand above`);
    writeFileSync(stamp, digest);
  } finally {
    release();
  }
}

/**
 * Two commands typed at once on a fresh clone must not install into one folder together: the second
 * waits for the first. A lock whose process is gone counts for nothing.
 */
async function takeTurn() {
  const lock = local('.spikegrid-install');
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch {
      if (!isRunning(Number(readText(lock)))) rmSync(lock, { force: true });
      await sleep(TURN_CHECK_MS);
    }
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** @param {string} path */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The Node of the optional dependency, or the running one where that platform has none. */
function pickNode() {
  const own = local('node_modules/.bin/node');
  if (existsSync(own)) return own;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0] = OLDEST_NODE;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return process.execPath;
  return fail(
    `Node ${process.versions.node} is too old and this platform (${process.platform} ${process.arch}) ` +
      `brings none along: expected Node ${OLDEST_NODE.join('.')} or newer`,
  );
}

/**
 * Hands the terminal over. Signals are handed on too: they may have been meant for this process alone.
 * @param {string} file @param {string[]} argv @param {NodeJS.ProcessEnv} env
 */
function start(file, argv, env) {
  const child = spawn(file, argv, { stdio: 'inherit', env });
  for (const signal of HANDED_ON) {
    process.on(signal, () => child.kill(signal));
  }
  endWithParent(child);
  child.on('error', (error) => fail(`cannot start ${file}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal && !HANDED_ON.some((one) => one === signal)) {
      const why = signal === 'SIGKILL' ? ', as the system does where memory runs out' : '';
      process.stderr.write(`spikegrid: npm ${npmCommand()} was ended by ${signal}${why}\n`);
    }
    if (signal) process.removeAllListeners(signal);
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}

/**
 * npm that is killed takes its shell along but not this process: when the parent changes, it is gone.
 * @param {import('node:child_process').ChildProcess} child
 */
function endWithParent(child) {
  const parent = process.ppid;
  const watch = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.stderr.write('spikegrid: the process that started this one is gone, so it stops\n');
    child.kill('SIGTERM');
  };
  const timer = setInterval(watch, PARENT_CHECK_MS).unref();
}

/** The command as it was typed. */
function npmCommand() {
  return name === 'start' || name === 'test' ? name : `run ${name}`;
}

/** @param {string} candidate @returns {candidate is keyof typeof COMMANDS} */
function isCommand(candidate) {
  return Object.hasOwn(COMMANDS, candidate);
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`spikegrid: ${message}\n`);
  process.exit(1);
}
