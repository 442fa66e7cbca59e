import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder as a user has one: nothing but a package.json and what npm has installed. */
export interface App {
  readonly folder: string;
  write(file: string, text: string): string;
  /** Copies files of a folder under examples/. */
  copyExample(example: string, ...files: readonly string[]): void;
  /** Puts an optional package beside the library, until the function that it returns is called. */
  addPeer(name: string): () => void;
  /** Runs a script to its end and returns what it printed; throws with its errors. */
  run(node: string, file: string, ...args: readonly string[]): Promise<string>;
  remove(): void;
}

/** Installs the packed library (`pack-once.ts`) in an empty folder, without the network. */
export function installPacked(): App {
  const [tarball = ''] = globSync('dist/spikegrid-*.tgz', { cwd: root });
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-app-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const npm = ['install', '--offline', '--no-audit', '--no-fund', '--silent', join(root, tarball)];
  execFileSync('npm', npm, { cwd: folder, stdio: [0, 2, 2] });
  return {
    folder,
    write(file, text) {
      const path = join(folder, file);
      writeFileSync(path, text);
      return path;
    },
    copyExample(example, ...files) {
      for (const file of files) {
        copyFileSync(join(root, 'examples', example, file), join(folder, file));
      }
    },
    addPeer(name) {
      const place = join(folder, 'node_modules', name);
      symlinkSync(join(root, 'node_modules', name), place);
      return () => rmSync(place);
    },
    run: (node, ...args) => runToEnd(spawn(node, args, { cwd: folder })),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

async function runToEnd(child: ChildProcess): Promise<string> {
  const said = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text: Buffer) => (said.stdout += text));
  child.stderr?.on('data', (text: Buffer) => (said.stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`it ended with ${code}:\n${said.stderr}\n${said.stdout}`);
  return said.stdout;
}

const versionOf = (node: string) => execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

/** The Nodes that the package is run with, by version: the one that came along, and the system's. */
export const nodes: ReadonlyMap<string, string> = new Map(
  ['/usr/local/bin/node', '/usr/bin/node', process.execPath]
    .filter((path) => existsSync(path))
    .map((path) => [versionOf(path), path]),
);
