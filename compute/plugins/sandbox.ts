import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Memory of a plugin's process, in MiB. */
export interface MemoryLimits {
  /** Of its JavaScript heap. */
  readonly heapMb: number;
  /** Of all memory it can write to, the 560 MiB that V8 sets aside at its start among it. */
  readonly dataMb: number;
}

/** Bounds on the process that takes the shell's place: memory, no core dumps, no files. */
const limitsOf = ({ dataMb }: MemoryLimits) =>
  `ulimit -d ${dataMb * 1024}; ulimit -c 0; ulimit -f 0`;

/** A command whose process has limits. */
export function limited(limits: MemoryLimits, command: readonly string[]): readonly string[] {
  const shell = ['/bin/sh', '-c', `${limitsOf(limits)}; exec "$@"`, 'sh'];
  return [...shell, ...command];
}

/**
 * Makes a root of the paths up to `--`, each to be read only, and runs the rest in it. Run within
 * namespaces of its own, so that nobody else sees what is mounted.
 */
const CONFINE = `
root=$1; shift
mount -t tmpfs -o mode=0755 none "$root" || exit 1
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root\${1%/*}" && : > "$root$1"; fi
  mount --bind "$1" "$root$1" || exit 1
  mount -o remount,bind,ro "$root$1" 2>/dev/null
  shift
done
shift
mount -o remount,bind,ro "$root" || exit 1`;

/** Files that name resolution needs; only with the network permission. */
const NAMES = ['/etc/hosts', '/etc/resolv.conf', '/etc/nsswitch.conf'];

interface Confinement {
  readonly limits: MemoryLimits;
  readonly hasNetwork: boolean;
  /** An empty folder that becomes its root. */
  readonly root: string;
  /** The only files it sees besides Node. */
  readonly files: string;
}

/**
 * A command of Node in namespaces of its own: it sees its files, no other process and, unless it may, no
 * network, not even this machine's. Sockets of other programs are files that it does not see.
 */
export function confined(
  { limits, hasNetwork, root, files }: Confinement,
  args: readonly string[],
): readonly string[] {
  const namespaces = ['--user', '--map-root-user', '--mount', '--pid', '--ipc'];
  const visible = [
    process.execPath,
    ...sharedLibraries(),
    files,
    ...(hasNetwork ? NAMES.filter(existsSync) : []),
  ];
  const script = `${CONFINE}\n${limitsOf(limits)}\nexec env -i "$(command -v chroot)" "$root" "$@"`;
  const unshare = ['unshare', ...namespaces, ...(hasNetwork ? [] : ['--net'])];
  const shell = ['--fork', '--kill-child', '/bin/sh', '-c', script, 'sh', root];
  return [...unshare, ...shell, ...visible, '--', process.execPath, ...args];
}

/** Libraries that the loader has mapped into this process, which is Node as well. */
function sharedLibraries(): readonly string[] {
  // Otherwise it looks up the names of all that it is connected to.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as unknown as { sharedObjects: readonly string[] };
  report.excludeNetwork = excludeNetwork;
  return sharedObjects.filter((path) => path.startsWith('/') && existsSync(path));
}

let confinement: Promise<string | undefined> | undefined;

/** Why nothing can be confined here; undefined where it can. Tried once, with Node itself. */
export function confinementFault(): Promise<string | undefined> {
  confinement ??= tryConfinement();
  return confinement;
}

async function tryConfinement(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  const root = await mkdtemp(join(tmpdir(), 'spikegrid-root-'));
  const files = await mkdtemp(join(tmpdir(), 'spikegrid-files-'));
  const limits = { heapMb: 64, dataMb: 1024 };
  try {
    const [command = '', ...args] = confined({ limits, hasNetwork: false, root, files }, ['-v']);
    await run(command, args, { timeout: 10_000 });
    return undefined;
  } catch (error) {
    const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
    return stderr?.trim().split('\n')[0] || message;
  } finally {
    await rm(root, { recursive: true });
    await rm(files, { recursive: true });
  }
}
