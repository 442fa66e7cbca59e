import { createHash } from 'node:crypto';
import { backupEndpoints } from '../../edge/backup/endpoints.ts';
import type { KeptFile, KeptObject } from '../../edge/backup/contract/backup.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { VERSION } from '../../edge/http/version.ts';
import { type Archive, type ArchivedFile, type ArchivedObject, type Manifest } from './archive.ts';
import { OperatorError } from '../process/operator-error.ts';
import type { Platform } from './platform.ts';
import { readObject } from './read-object.ts';

/** Progress for a person who waits. */
export interface Progress {
  step(what: string, total: number): void;
  done(count: number): void;
}

/** Files that vanish while the objects are read are looked for again so often. */
const MAX_ROUNDS = 3;

/**
 * Reads everything that is stored into an archive: files, then objects, then the files that came
 * meanwhile. So every file that a row names is there, also one that is deleted before the end.
 *
 * @throws OperatorError where the archive is complete already, ProblemError for a refusal
 */
export async function backUp(
  platform: Platform,
  archive: Archive,
  progress: Progress,
): Promise<Manifest> {
  if (archive.isComplete)
    throw new OperatorError('there is a complete backup already: choose another folder');
  archive.begin();
  const files = new Map<string, ArchivedFile>();
  for await (const file of archive.files()) files.set(placeOf(file), file);
  await readFiles(platform, archive, { files, progress });
  for (let round = 1; ; round++) {
    const objects = await readObjects(platform, archive, progress);
    await readFiles(platform, archive, { files, progress });
    const missing = await missingFile(archive, objects, files);
    if (missing === undefined) return finish(archive, objects, files);
    if (round === MAX_ROUNDS)
      throw new OperatorError(`the file ${missing} is named by a row, and in no bucket`);
  }
}

function finish(
  archive: Archive,
  objects: readonly ArchivedObject[],
  files: ReadonlyMap<string, ArchivedFile>,
): Manifest {
  const manifest: Manifest = {
    format: 1,
    version: VERSION,
    created_at: new Date().toISOString(),
    objects: [...objects],
    files: files.size,
    bytes: [...files.values()].reduce((sum, file) => sum + file.size_bytes, 0),
  };
  archive.finish(manifest);
  return manifest;
}

async function readObjects(
  platform: Platform,
  archive: Archive,
  progress: Progress,
): Promise<readonly ArchivedObject[]> {
  const objects: KeptObject[] = [];
  for await (const object of allObjects(platform)) objects.push(object);
  progress.step('objects', objects.length);
  const read: ArchivedObject[] = [];
  for (const object of objects) {
    read.push(await readObject(platform, archive, object));
    progress.done(read.length);
  }
  return read;
}

/** Every object once, however many know of it. */
export async function* allObjects({ call }: Platform): AsyncGenerator<KeptObject> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const { body } = await call(backupEndpoints.listKeptObjects, { query: { cursor } });
    for (const object of body.objects) {
      if (seen.has(nameOf(object))) continue;
      seen.add(nameOf(object));
      yield object;
    }
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

export async function* allFiles({ call }: Platform): AsyncGenerator<KeptFile> {
  let cursor: string | undefined;
  do {
    const { body } = await call(backupEndpoints.listKeptFiles, { query: { cursor } });
    yield* body.files;
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

interface Files {
  readonly files: Map<string, ArchivedFile>;
  readonly progress: Progress;
}

/** Reads the files that are not in the archive yet. */
async function readFiles(platform: Platform, archive: Archive, { files, progress }: Files) {
  const wanted: KeptFile[] = [];
  for await (const file of allFiles(platform)) {
    if (files.get(placeOf(file))?.etag !== file.etag) wanted.push(file);
  }
  progress.step('files', wanted.length);
  for (const [index, file] of wanted.entries()) {
    const read = await readFile(platform, archive, file);
    if (read) {
      files.set(placeOf(file), read);
      archive.noteFile(read);
    }
    progress.done(index + 1);
  }
}

async function findFile(
  platform: Platform,
  query: Pick<KeptFile, 'bucket' | 'key'>,
): Promise<Response | undefined> {
  try {
    return (await platform.call(backupEndpoints.readKeptFile, { query })).body;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  }
}

/** Undefined where the file was deleted since it was listed. */
async function readFile(
  platform: Platform,
  archive: Archive,
  file: KeptFile,
): Promise<ArchivedFile | undefined> {
  const { bucket, key } = file;
  const answer = await findFile(platform, { bucket, key });
  if (!answer) return undefined;
  const hash = createHash('sha256');
  const written = archive.write('files/incoming');
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    hash.update(chunk);
    size += chunk.length;
    await written.add(chunk);
  }
  const digest = hash.digest('hex');
  await written.close(archive.bytesPath(digest));
  if (size === file.size_bytes) return { ...file, digest };
  throw new OperatorError(`${key} came with ${size} bytes, expected ${file.size_bytes}`);
}

/** A file that a row names and that was not read; uploads under way name theirs before it is there. */
async function missingFile(
  archive: Archive,
  objects: readonly ArchivedObject[],
  files: ReadonlyMap<string, ArchivedFile>,
): Promise<string | undefined> {
  const named = { Registry: 'files', Datasets: 'parts' } as const;
  for (const { object, file, form } of objects) {
    if (object.class !== 'Registry' && object.class !== 'Datasets') continue;
    const table = named[object.class];
    const column = form.tables[table]?.columns.indexOf('object_key') ?? -1;
    for await (const row of archive.linesOf(file)) {
      const [name, values] = JSON.parse(row) as [string, readonly unknown[]];
      const key = String(values[column]);
      if (name === table && !files.has(placeOf({ bucket: 'FILES', key }))) return key;
    }
  }
  return undefined;
}

export const nameOf = ({ class: kind, name }: KeptObject): string => `${kind} ${name}`;

const placeOf = ({ bucket, key }: Pick<KeptFile, 'bucket' | 'key'>): string => `${bucket}/${key}`;
