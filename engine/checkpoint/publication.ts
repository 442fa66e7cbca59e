import { MODEL_FILES, type StoredTraining } from './checkpoint.ts';
import { type CheckpointFiles, MANIFEST, withManifest } from './files.ts';

/** The part of a checkpoint that is published to a registry, whose readers get every file. */
interface Publication {
  readonly files: CheckpointFiles;
  /** Names of the files that are not published. */
  readonly withheld: readonly string[];
}

/**
 * All files, but of a model that was trained privately only those it is used with: the key of its samples
 * and its noise is in optimizer.safetensors, and losses without noise are in training_state.json.
 */
export function publicationOf(
  files: CheckpointFiles,
  { execution }: Pick<StoredTraining, 'execution'>,
): Publication {
  if (!execution.privacy) return { files, withheld: [] };
  const used: ReadonlySet<string> = new Set(MODEL_FILES);
  const named = [...files].filter(([name]) => name !== MANIFEST);
  return {
    files: withManifest(new Map(named.filter(([name]) => used.has(name)))),
    withheld: named.flatMap(([name]) => (used.has(name) ? [] : [name])),
  };
}
