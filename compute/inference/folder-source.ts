import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { DEFAULT_TEAM } from '../../edge/contract/team.ts';
import { isForTraining, MANIFEST } from '../../engine/index.ts';
import { findCheckpoint, readCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { inSharedMemory, type ModelRecord, type ModelSource } from './registry-source.ts';

/** A folder is no version of anything: below all that a registry knows. */
const VERSION = '0.0.0-folder';
/** Of a model's id (`ModelId`). */
const MAX_CHARACTERS = 128;

/**
 * The one model of a run or a checkpoint on disk, as it is now; what is saved there later is not seen. It is
 * called as its folder is, and its digest is that of its manifest, which lists those of all its files.
 *
 * @throws EngineError checkpoint-missing
 */
export async function openFolderSource(path: string): Promise<ModelSource> {
  const checkpoint = await readCheckpoint(await findCheckpoint(path));
  const kept = [...checkpoint].filter(([name]) => !isForTraining(name));
  const files = new Map(kept.map(([name, bytes]) => [name, inSharedMemory(bytes)]));
  const manifest = createHash('sha256').update(checkpoint.get(MANIFEST) ?? '');
  const record: ModelRecord = {
    model_id: idOf(path),
    version: VERSION,
    total_size_bytes: kept.reduce((sum, [, { length }]) => sum + length, 0),
    manifest_digest: `sha256:${manifest.digest('hex')}`,
    team: DEFAULT_TEAM,
  };
  return { find: async () => record, fetch: async () => files };
}

/** A folder's name as the id of a model may be. */
function idOf(path: string): string {
  const name = basename(resolve(path)).toLowerCase();
  const id = name.replaceAll(/[^a-z0-9._-]/g, '-').replace(/^[^a-z0-9]+/, '');
  return id.slice(0, MAX_CHARACTERS) || 'model';
}
