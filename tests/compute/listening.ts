import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The state of a TCP socket that listens, in /proc/net/tcp. */
const LISTEN = '0A';

/** The ports on which a process, or one that it started, takes connections; as Linux tells it. */
export function listeningPorts(pid: number): readonly number[] {
  return [pid, ...descendantsOf(pid)].flatMap((one) => {
    const inodes = socketsOf(one);
    // Each network namespace has tables of its own.
    return ['tcp', 'tcp6'].flatMap((table) =>
      linesOf(`/proc/${one}/net/${table}`).flatMap((line) => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        if (state !== LISTEN || !inodes.has(inode)) return [];
        return [Number.parseInt(local.split(':')[1] ?? '', 16)];
      }),
    );
  });
}

function descendantsOf(pid: number): readonly number[] {
  const own = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    linesOf(`/proc/${pid}/task/${task}/children`)
      .flatMap((line) => line.trim().split(' '))
      .filter((text) => text !== '')
      .map(Number),
  );
  return own.flatMap((child) => [child, ...descendantsOf(child)]);
}

function socketsOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  return new Set(
    readdirSync(folder).flatMap(
      (fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`${folder}/${fd}`))?.[1] ?? [],
    ),
  );
}

/** Nothing where it was closed while it was looked at. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

const linesOf = (path: string): readonly string[] => readFileSync(path, 'latin1').split('\n');
