import type { Mismatch } from '../../edge/contract/compatibility.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import {
  type CheckpointFiles,
  CharacterCount,
  EngineError,
  preparationFrom,
  prepareText,
  type RunSettings,
  type StoredModel,
  textFieldsAmong,
  unpackModel,
} from '../../engine/index.ts';
import { type OpenSource, structureDifferences } from '../../trainer/index.ts';
import { createJobFiles, type Roots } from '../trainer/job-files.ts';

interface Wanted {
  readonly path: string;
  readonly settings: RunSettings;
  /** The text, where it lies on this machine as plain text. */
  readonly openText: (() => Promise<OpenSource>) | undefined;
}

/**
 * Training goes on from a checkpoint of this machine only where structure, vocabulary, tokenizer and
 * digests are exactly its own (rule 4).
 *
 * @throws Problem model_not_found, or base_model_mismatch with `mismatches` that name both values
 */
export async function refuseOtherBase(roots: Roots, wanted: Wanted): Promise<void> {
  const stored = unpack(await readBase(roots, wanted.path));
  const mismatches = structureDifferences(stored.spec, wanted.settings).map(
    ({ field, held, asked }): Mismatch => ({
      aspect: field === 'tokenizer' ? 'tokenizer' : 'structure',
      field: `/${field}`,
      expected: held,
      actual: asked,
    }),
  );
  const all = [...mismatches, ...(await vocabularyMismatches(stored, wanted))];
  if (all.length > 0) throw otherBase(all);
}

async function readBase(roots: Roots, path: string): Promise<CheckpointFiles> {
  try {
    return await createJobFiles(roots).readCheckpoint(path);
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

/** What the text is made of may be less than the model knows, never more. */
async function vocabularyMismatches(
  { tokenizer }: StoredModel,
  { openText, settings }: Wanted,
): Promise<readonly Mismatch[]> {
  // Tokens of bytes write any text.
  if (!openText || tokenizer?.kind !== 'character') return [];
  const source = await openText();
  try {
    const count = new CharacterCount();
    const prepared = await prepareText([source], preparationFrom(textFieldsAmong(settings.fields)));
    for await (const piece of prepared.read()) count.take(piece);
    const text = count.alphabet();
    if (text.every((character) => tokenizer.idOf(character.codePointAt(0) ?? 0) !== undefined)) {
      return [];
    }
    const [expected, actual] = [tokenizer.characters.join(''), text.join('')];
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
