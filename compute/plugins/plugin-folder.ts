import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { EngineError } from '../../engine/index.ts';
import { MANIFEST_FILE, parseManifest, type PluginManifest } from './manifest.ts';

const MAX_FILES = 1000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MANIFEST_BYTES = 64 * 1024;

/** The files of a plugin as they were read once: what was hashed is what runs. */
interface PluginFiles {
  /** Without links. */
  readonly folder: string;
  /** Contents by path below the folder, with `/`; without the manifest and hidden files. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** 64 hex digits. */
  readonly sha256: string;
}

export interface PluginFolder extends PluginFiles {
  readonly manifest: PluginManifest;
}

/**
 * Reads a plugin and holds it against its manifest; none of its code runs.
 *
 * @throws EngineError plugin-refused that says what is missing or wrong
 */
export async function readPluginFolder(path: string): Promise<PluginFolder> {
  const manifest = parseManifest(await readManifest(path));
  const read = await readPluginFiles(path);
  const { entry, sha256 } = manifest;
  if (!read.files.has(entry)) {
    throw refused(`entry is "${entry}", which is no file of the plugin's folder`);
  }
  if (read.sha256 !== sha256) {
    throw refused(`sha256 is ${sha256}, but its files have ${read.sha256}`);
  }
  return { ...read, manifest };
}

async function readManifest(path: string): Promise<string> {
  const place = join(path, MANIFEST_FILE);
  const found = await lstat(place).catch(() => undefined);
  if (!found) throw refused(`there is no ${MANIFEST_FILE}`);
  if (!found.isFile()) throw refused(`${MANIFEST_FILE} is no plain file`);
  if (found.size > MAX_MANIFEST_BYTES) {
    throw refused(`${MANIFEST_FILE} has ${found.size} bytes, expected up to ${MAX_MANIFEST_BYTES}`);
  }
  return readFile(place, 'utf8');
}

/** @throws EngineError plugin-refused for links, odd files, and too much of them */
export async function readPluginFiles(path: string): Promise<PluginFiles> {
  const folder = await realpath(path);
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const place of (await filesBelow(folder)).toSorted(byCodeUnits)) {
    // Looked at first: nothing that is too large is read.
    bytes += (await lstat(join(folder, place))).size;
    if (bytes > MAX_BYTES) throw refused(`its files take more than ${MAX_BYTES} bytes`);
    files.set(place.split(sep).join('/'), await readFile(join(folder, place)));
  }
  return { folder, files, sha256: digestOf(files) };
}

async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const place = relative(folder, join(entry.parentPath, entry.name));
    if (place === MANIFEST_FILE || isHidden(place)) continue;
    if (isPlain(entry, place)) found.push(place);
    if (found.length > MAX_FILES) throw refused(`it has more than ${MAX_FILES} files`);
  }
  return found;
}

/** @throws EngineError plugin-refused: a link may lead out of the folder, a device anywhere */
function isPlain(entry: Dirent, place: string): boolean {
  if (entry.isFile()) return true;
  if (entry.isDirectory()) return false;
  throw refused(
    `${place} is ${entry.isSymbolicLink() ? 'a link' : 'no file'}, expected a plain file`,
  );
}

/** Leftovers of editors and version control are no part of a plugin. */
const isHidden = (place: string) => place.split(sep).some((part) => part.startsWith('.'));

const byCodeUnits = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The digest of what `sha256sum` says about the files, sorted by their paths. */
function digestOf(files: ReadonlyMap<string, Uint8Array>): string {
  const all = createHash('sha256');
  for (const [place, content] of files) {
    all.update(`${createHash('sha256').update(content).digest('hex')}  ${place}\n`);
  }
  return all.digest('hex');
}

const refused = (why: string) => new EngineError('plugin-refused', why);
