import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { EngineError } from '../../engine/index.ts';
import { jsonText, RECORD, writeWhole } from './run-files.ts';

/**
 * Where a run finds what it learns from. Its checkpoints know the data and the teacher by digest alone, as
 * they go to other machines; the paths stay here.
 */
const RunRecord = z.object({
  dataset: z.optional(z.string()),
  teacher: z.optional(z.string()),
  /** The folder of the run that it began from. */
  parent: z.optional(z.string()),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Writes the record of a run into its folder. */
export async function saveRunRecord(
  run: string,
  { dataset, teacher, parent }: RunRecord,
): Promise<void> {
  const record = {
    ...(dataset !== undefined && { dataset: resolve(dataset) }),
    ...(teacher && { teacher: resolve(teacher) }),
    ...(parent !== undefined && { parent: resolve(parent) }),
  };
  await writeWhole(join(run, RECORD), jsonText(record));
}

/**
 * The record of a run, of which a checkpoint may be named; undefined where it was written before runs had
 * any. Throws EngineError `checkpoint-damaged`.
 */
export async function readRunRecord(place: string): Promise<RunRecord | undefined> {
  const folders = [place, dirname(resolve(place))];
  const path = folders.map((folder) => join(folder, RECORD)).find((one) => existsSync(one));
  if (path === undefined) return undefined;
  try {
    return RunRecord.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new EngineError('checkpoint-damaged', `${path} cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}
