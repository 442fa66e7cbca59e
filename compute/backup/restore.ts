import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { backupEndpoints, MAX_PART_BYTES } from '../../edge/backup/endpoints.ts';
import { STAGED } from '../../edge/backup/contract/backup.ts';
import { addRows, NO_ROWS } from '../../edge/http/rows-digest.ts';
import type { Archive, ArchivedFile, ArchivedObject, Manifest } from './archive.ts';
import { allFiles, allObjects, nameOf, type Progress } from './backup.ts';
import { OperatorError } from '../process/operator-error.ts';
import type { Platform } from './platform.ts';

/** How many pages of an object were laid beside it; none where it was restored before. */
type StagedPages = ReadonlyMap<ArchivedObject, number>;

/**
 * Puts a backup onto a platform that holds nothing yet. All rows are laid beside the objects first,
 * then come the files, and only then each object takes its rows over, all or none: what is refused is
 * refused before anything has changed. Repeated, it goes on where it ended.
 *
 * @throws OperatorError where the archive is damaged or the platform is not empty, ProblemError for a refusal
 */
export async function restore(
  platform: Platform,
  archive: Archive,
  progress: Progress,
): Promise<Manifest> {
  const manifest = archive.manifest();
  for (const object of manifest.objects) await refuseDamagedRows(archive, object);
  progress.step('rows', manifest.objects.length);
  const staged = new Map<ArchivedObject, number>();
  for (const [index, object] of manifest.objects.entries()) {
    const pages = await stage(platform, archive, object);
    if (pages !== undefined) staged.set(object, pages);
    progress.done(index + 1);
  }
  // One that goes on finds what the objects restored before have done since.
  if (staged.size === manifest.objects.length) await refuseOthers(platform, manifest);
  await writeFiles(platform, archive, progress);
  await commit(platform, staged, progress);
  return manifest;
}

/** Memories and sensors that the backup does not know would stay beside those it has. */
async function refuseOthers(platform: Platform, { objects }: Manifest): Promise<void> {
  const known = new Set(objects.map(({ object }) => nameOf(object)));
  for await (const object of allObjects(platform)) {
    if ((object.class !== 'Memory' && object.class !== 'Sensors') || known.has(nameOf(object)))
      continue;
    throw new OperatorError(
      `the platform is not empty: the backup does not know its ${nameOf(object)}`,
    );
  }
}

/** Undefined where the object was restored from these rows before. */
async function stage(
  { call }: Platform,
  archive: Archive,
  { object, file, digest }: ArchivedObject,
): Promise<number | undefined> {
  let page = 0;
  const send = async (rows: string[]) => {
    const body = { object, digest, page, rows };
    const answer = await call(backupEndpoints.stageRows, { body });
    page += 1;
    return answer.body.status;
  };
  // An object without rows is asked, too, whether it may be restored.
  if ((await send([])) === 'restored') return undefined;
  for await (const rows of archive.rows(file, { ...STAGED, characters: STAGED.characters / 2 })) {
    await send(rows);
  }
  return page;
}

async function refuseDamagedRows(archive: Archive, { file, digest }: ArchivedObject) {
  let sum = NO_ROWS;
  for await (const rows of archive.rows(file, STAGED)) sum = addRows(sum, rows);
  if (sum === digest) return;
  throw new OperatorError(
    `${file} is damaged: its rows have the digest ${sum}, expected ${digest}`,
  );
}

async function commit({ call }: Platform, staged: StagedPages, progress: Progress): Promise<void> {
  progress.step('objects', staged.size);
  let count = 0;
  for (const [{ object, digest, form, end }, pages] of staged) {
    const body = { object, digest, pages, form, end };
    await call(backupEndpoints.commitObject, { body });
    progress.done(++count);
  }
}

async function writeFiles(platform: Platform, archive: Archive, progress: Progress): Promise<void> {
  const there = new Map<string, number>();
  for await (const { bucket, key, size_bytes: size } of allFiles(platform)) {
    there.set(`${bucket}/${key}`, size);
  }
  const wanted = new Map<string, ArchivedFile>();
  for await (const file of archive.files()) wanted.set(`${file.bucket}/${file.key}`, file);
  progress.step('files', wanted.size);
  let count = 0;
  for (const [place, file] of wanted) {
    const size = there.get(place);
    if (size === undefined) await writeFile(platform, archive, file);
    else if (size !== file.size_bytes) {
      throw new OperatorError(`the platform is not empty: ${place} is there with ${size} bytes`);
    }
    progress.done(++count);
  }
}

/** A file appears whole: a small one by one request, a larger one when its parts are made one. */
async function writeFile(platform: Platform, archive: Archive, file: ArchivedFile): Promise<void> {
  const { bucket, key, digest, size_bytes: size } = file;
  const hash = createHash('sha256');
  if (size <= MAX_PART_BYTES) {
    const bytes = await readFile(archive.bytesPath(digest));
    refuseDamaged(file, hash.update(bytes).digest('hex'));
    await platform.call(backupEndpoints.writeKeptFile, { query: { bucket, key }, body: bytes });
    return;
  }
  const begun = await platform.call(backupEndpoints.beginKeptFile, {
    body: { bucket, key },
  });
  const { upload_id } = begun.body;
  const parts: { part: number; etag: string }[] = [];
  for await (const bytes of archive.parts(digest, MAX_PART_BYTES)) {
    hash.update(bytes);
    const part = parts.length + 1;
    const query = { bucket, key, upload_id, part };
    const written = await platform.call(backupEndpoints.writeKeptFile, { query, body: bytes });
    parts.push({ part, etag: written.body.etag });
  }
  refuseDamaged(file, hash.digest('hex'));
  const body = { bucket, key, upload_id, parts };
  await platform.call(backupEndpoints.completeKeptFile, { body });
}

function refuseDamaged({ key, digest }: ArchivedFile, got: string): void {
  if (got === digest) return;
  throw new OperatorError(
    `the bytes of ${key} are damaged: they have the digest ${got}, expected ${digest}`,
  );
}
