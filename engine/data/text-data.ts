import { textModelOf } from '../checkpoint/checkpoint.ts';
import type { DataOptions, TextData } from '../families/family.ts';
import type { RunSettings } from '../train/run-settings.ts';
import { openCorpus } from './corpus.ts';
import { type DataFiles, onlyFile } from './data-files.ts';

/** Opens the one text of a data set, over the vocabulary of the model that a run goes on from. Throws as `openCorpus`. */
export async function openText(
  files: DataFiles,
  _settings: RunSettings,
  { base, onProgress, signal }: DataOptions = {},
): Promise<TextData> {
  const source = await onlyFile(files).open();
  const corpus = await openCorpus(source, {
    ...(base && { tokenizer: textModelOf(base).tokenizer }),
    ...(onProgress && { onProgress: (bytes: number) => onProgress(bytes, source.size) }),
    ...(signal && { signal }),
  });
  const { name, digest, length, tokenizer } = corpus;
  return { name, digest, length, shape: { vocabulary: tokenizer.characters.length }, corpus };
}
