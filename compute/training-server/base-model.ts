import type { Mismatch } from '../../edge/registry/contract/compatibility.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import {
  asTrainRequest,
  type CategoryRequest,
  familyFieldsOf,
  type TrainRequest,
} from '../../edge/training/contract/train-request.ts';
import {
  type CheckpointFiles,
  EngineError,
  type Fields,
  type ModelSpec,
  type StoredModel,
  structureDifferences,
  unpackModel,
  vocabularyGap,
} from '../../engine/index.ts';
import type { OpenSource } from '../../trainer/index.ts';
import { createJobFiles, type Roots } from '../trainer/job-files.ts';

interface Wanted {
  readonly path: string;
  /** Whose results may be gone on with. */
  readonly team: string;
  readonly body: CategoryRequest | TrainRequest;
  /** The text, where it lies on this machine as plain text. */
  readonly openText: (() => Promise<OpenSource>) | undefined;
}

/**
 * Training goes on from a checkpoint of this machine only where structure, vocabulary, tokenizer and
 * digests are exactly its own (rule 4). Returns its model_spec.
 *
 * @throws Problem model_not_found, or base_model_mismatch with `mismatches` that name both values
 */
export async function refuseOtherBase(roots: Roots, wanted: Wanted): Promise<ModelSpec> {
  const stored = unpack(await readBase(roots, wanted));
  const { modelType: architecture, config } = asTrainRequest(wanted.body);
  const fields = familyFieldsOf(architecture, config);
  const mismatches = structureDifferences(stored.spec, { architecture, fields }).map(
    ({ aspect, field, held, asked }): Mismatch => ({
      aspect,
      field: `/${field}`,
      expected: held,
      actual: asked,
    }),
  );
  const all = [...mismatches, ...(await vocabularyMismatches(stored, fields, wanted))];
  if (all.length > 0) throw otherBase(all);
  return stored.spec;
}

async function readBase(roots: Roots, { path, team }: Wanted): Promise<CheckpointFiles> {
  try {
    return await createJobFiles(roots, team).readCheckpoint(path);
  } catch (error) {
    const isMissing = error instanceof EngineError && error.code === 'checkpoint-missing';
    if (!isMissing) throw error;
    const detail = `base_model_path is "${path}": there is no checkpoint below the output root.`;
    throw new Problem('model_not_found', detail);
  }
}

/** Every file is held against the digest that the manifest and the model_spec name. */
function unpack(files: CheckpointFiles): StoredModel {
  try {
    return unpackModel(files);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const isTokenizer = error.message.startsWith('tokenizer.json');
    throw otherBase([
      {
        aspect: isTokenizer ? 'tokenizer' : 'artifact',
        field: '/base_model_path',
        expected: 'files with the digests that its manifest lists',
        actual: error.message,
      },
    ]);
  }
}

async function vocabularyMismatches(
  { tokenizer }: StoredModel,
  fields: Fields,
  { openText }: Wanted,
): Promise<readonly Mismatch[]> {
  if (!openText) return [];
  const source = await openText();
  try {
    const gap = await vocabularyGap(tokenizer, { sources: [source], fields });
    if (!gap) return [];
    const { known: expected, found: actual } = gap;
    return [{ aspect: 'vocabulary', field: '/dataset_path', expected, actual }];
  } finally {
    await source.close();
  }
}

function otherBase(mismatches: readonly Mismatch[]): Problem {
  const fields = mismatches.map(({ field }) => field.slice(1)).join(', ');
  return new Problem('base_model_mismatch', `The base model differs in ${fields}.`, {
    members: { mismatches },
  });
}
