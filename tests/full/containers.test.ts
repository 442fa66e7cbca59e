import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

/*
 * The Dockerfile's steps and the containers of compose.yaml in a root file system of their own: no
 * home, no checkout, /app read-only, a user without any capability, one private network. It is no
 * Docker, and its programs are this machine's.
 */

interface Part {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Part>>;
};
const { gateway, keys, ...others } = compose.services;

/** Namespaces of mounts, processes and the network, and a root of one's own: that takes root on Linux. */
const CAN_ISOLATE =
  spawnSync('unshare', ['-mnpf', 'chroot', '/', 'setpriv', '--version']).status === 0;

const folder = CAN_ISOLATE ? mkdtempSync(join(tmpdir(), 'spikegrid-containers-')) : '';
const image = join(folder, 'image');
const volumes = join(folder, 'volumes');
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Mounts that every root needs of the machine: programs, devices, certificates. The Debian image has the same. */
const MOUNTS = `
mount --make-rprivate /
mount --bind ${image} ${image}
mount --rbind /usr ${image}/usr
mount --rbind /dev ${image}/dev
mount --rbind /etc/ssl ${image}/etc/ssl
mount --rbind /etc/alternatives ${image}/etc/alternatives
mount -t proc proc ${image}/proc
`;

/** The steps of the Dockerfile up to its user, each as Docker runs it. */
function buildScript(): string {
  const [, steps = ''] = /\nCOPY \. \.\n([\s\S]*)\nUSER node\n/.exec(read('Dockerfile')) ?? [];
  const runs = steps
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.startsWith('RUN '))
    .map((line) => `chroot ${image} /bin/sh -ec ${quoted(`cd /app; ${line.slice(4)}`)}`);
  const cache = `mkdir -p ${image}/npm ${homedir()}/.npm; mount --bind ${homedir()}/.npm ${image}/npm`;
  return ['set -e', MOUNTS, cache, 'export HOME=/root npm_config_cache=/npm', ...runs].join('\n');
}

/** A shell function that runs a command in a part's container: its mounts, user, variables. */
function inPart(name: string, { environment = {}, volumes: mounted = [] }: Part): string {
  const binds = mounted.map((volume) => {
    const [source = '', target = ''] = volume.split(':');
    return `mount --bind ${volumes}/${source} ${image}${target}`;
  });
  const variables = Object.entries({
    HOME: '/tmp',
    // The image's own Node is that of the lockfile here, as this machine's may be an older one.
    PATH: '/app/node_modules/.bin:/usr/bin:/bin',
    ...environment,
  })
    .flatMap(([key, value]) => (value === null ? [] : [quoted(`${key}=${value}`)]))
    .join(' ');
  const user = '--reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set=-all';
  return `
in_${name.replaceAll('-', '_')}() {
  unshare -m sh -ec '${binds.join('; ')}
    mount -t tmpfs tmpfs ${image}/tmp; mount -o remount,bind,ro ${image}
    exec chroot ${image} setpriv ${user} --inh-caps=-all env -i ${variables.replaceAll("'", `'\\''`)} \\
      sh -c "cd /app && exec \\"\\$@\\"" sh "$@"' sh "$@"
}`;
}

const words = (command: readonly string[]) => command.map(quoted).join(' ');

/** Waits until the health check of a part holds, and says so. */
function untilHealthy(name: string, { healthcheck }: Part): string {
  const check = words(healthcheck?.test.slice(1) ?? ['true']);
  const inside = `in_${name.replaceAll('-', '_')}`;
  return `for i in $(seq 120); do if ${inside} ${check} >/dev/null 2>&1; then echo "healthy ${name}"; break; fi; sleep 0.5; done`;
}

function composeScript(): string {
  const parts = Object.entries(compose.services);
  const start = (name: string, { command }: Part) =>
    `in_${name.replaceAll('-', '_')} ${words(command)} >>${folder}/${name}.log 2>&1 &`;
  const ask = `
    const key = require("fs").readFileSync("/state/bootstrap-key", "utf8").trim();
    const headers = { authorization: "Bearer " + key };
    (async () => {
      for (const path of ["/inference/models", "/plugin-host/plugins", "/greeting/hello?name=Ada", "/"])
        console.log(path, (await fetch("http://gateway:8000" + path, { headers })).status);
      console.log("without a key", (await fetch("http://gateway:8000/services")).status);
    })();`;
  return [
    'set -e',
    MOUNTS,
    'ip link set lo up',
    ...parts.map(([name, part]) => inPart(name, part)),
    start('gateway', gateway!),
    untilHealthy('gateway', gateway!),
    `in_keys ${words(keys!.command)}`,
    ...Object.entries(others).map(([name, part]) => start(name, part)),
    ...Object.entries(others).map(([name, part]) => untilHealthy(name, part)),
    `in_keys node -e ${quoted(ask)}`,
    `if in_gateway touch /app/written 2>/dev/null; then echo "/app is written to"; fi`,
    // Everything that was started from the image, with its user and what it may do.
    `for p in /proc/[0-9]*; do
      case $(readlink $p/exe) in
        */node | */workerd) awk '/^Uid:/{u=$3} /^CapEff:/{c=$2} /^NoNewPrivs:/{n=$2} END{print "user " u " " c " " n}' $p/status ;;
      esac
    done`,
  ].join('\n');
}

describe.skipIf(!CAN_ISOLATE)('containers (needs root, unshare and chroot)', () => {
  let said: string;
  beforeAll(() => {
    for (const path of [
      'usr',
      'etc/ssl',
      'etc/alternatives',
      'dev',
      'proc',
      'tmp',
      'run',
      'root',
      'app',
    ]) {
      mkdirSync(join(image, path), { recursive: true });
    }
    for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
      execFileSync('ln', ['-s', `usr/${name}`, join(image, name)]);
    }
    writeFileSync(
      join(image, 'etc/passwd'),
      'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n',
    );
    writeFileSync(join(image, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
    writeFileSync(join(image, 'etc/hosts'), '127.0.0.1 localhost gateway\n');
    for (const file of ['resolv.conf', 'nsswitch.conf'])
      cpSync(`/etc/${file}`, join(image, 'etc', file));
    const npmrc = join(homedir(), '.npmrc');
    spawnSync('cp', [npmrc, join(image, 'root/.npmrc')]);
    // COPY . . takes what git knows.
    execFileSync(
      'sh',
      [
        '-ec',
        `git ls-files -z -co --exclude-standard | tar -c --null -T - | tar -x -C ${image}/app`,
      ],
      { cwd: root },
    );
    const built = spawnSync('unshare', ['-m', 'sh', '-c', buildScript()], { encoding: 'utf8' });
    if (built.status !== 0)
      throw new Error(`the image does not build: ${built.stdout}${built.stderr}`);
    const named = Object.values(compose.services).flatMap(({ volumes: all = [] }) => all);
    for (const volume of named) {
      const path = join(volumes, volume.split(':')[0]!);
      mkdirSync(path, { recursive: true });
      execFileSync('chown', ['1000:1000', path]);
    }
    execFileSync('chmod', ['755', folder]);
    const ran = spawnSync(
      'unshare',
      ['-mnpf', '--kill-child', '--mount-proc', 'sh', '-c', composeScript()],
      {
        encoding: 'utf8',
        timeout: 240_000,
      },
    );
    said = ran.stdout + ran.stderr;
  }, 600_000);

  it('are built by the Dockerfile and all turn healthy', () => {
    const logs = Object.keys(compose.services).map(
      (name) =>
        spawnSync('tail', ['-n', '5', `${folder}/${name}.log`], { encoding: 'utf8' }).stdout,
    );
    for (const name of ['gateway', ...Object.keys(others)]) {
      expect(said, logs.join('\n')).toContain(`healthy ${name}\n`);
    }
  });

  it('answer each other through the gateway, for who has a key', () => {
    expect(said).toContain(
      '/inference/models 200\n/plugin-host/plugins 200\n/greeting/hello?name=Ada 200\n/ 200\nwithout a key 401\n',
    );
  });

  it('run as nobody special, and write nothing in the image', () => {
    const users = said.split('\n').filter((line) => line.startsWith('user '));
    expect(users.length).toBeGreaterThan(8);
    expect(new Set(users)).toEqual(new Set(['user 1000 0000000000000000 1']));
    expect(said).not.toContain('/app is written to');
  });
});
