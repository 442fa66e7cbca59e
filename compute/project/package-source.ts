import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';

/** A file as a dependency of the project in a folder says it. */
export const fileSource = (folder: string, file: string): string =>
  `file:${relative(folder, file).replaceAll('\\', '/')}`;

/**
 * Where an installed package came from, as a dependency of the project in `folder` says it: the file that npm
 * noted down when it was installed from one, else its version.
 */
export async function installedSource(
  installed: string,
  version: string,
  folder: string,
): Promise<string> {
  const modules = dirname(installed);
  const resolved = await resolvedBy(resolve(modules, '.package-lock.json'));
  if (!resolved?.startsWith('file:')) return `^${version}`;
  return fileSource(folder, resolve(dirname(modules), resolved.slice('file:'.length)));
}

async function resolvedBy(lockfile: string): Promise<string | undefined> {
  try {
    const { packages } = JSON.parse(await readFile(lockfile, 'utf8')) as {
      readonly packages?: Readonly<Record<string, { readonly resolved?: unknown } | undefined>>;
    };
    const resolved = packages?.['node_modules/spikegrid']?.resolved;
    return typeof resolved === 'string' ? resolved : undefined;
  } catch {
    return undefined;
  }
}
