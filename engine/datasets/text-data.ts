import { textModelOf } from '../checkpoint/checkpoint.ts';
import { textRecordOf } from '../checkpoint/text-record.ts';
import { EngineError } from '../errors.ts';
import type { DataOptions, TextData } from '../checkpoint/run-data.ts';
import type { RunSettings } from '../settings/run-settings.ts';
import { openCorpus } from '../data/corpus/open-corpus.ts';
import type { DataFiles } from '../data/files/data-files.ts';
import { choiceFrom, preparationFrom, type TextFields, textFieldsAmong } from './text-fields.ts';
import type { Tokenizer } from '../data/tokenizers/tokenizer.ts';

/**
 * Opens the files of a data set, ordered by path, as one text, with the tokenizer of the model that a run
 * continues. Throws as `openCorpus`, and EngineError `invalid-setting` for a given tokenizer of another kind
 * than the settings name.
 */
export async function openText(
  { files }: DataFiles,
  settings: Pick<RunSettings, 'fields'>,
  { base, format, openStore, onProgress, signal, unknown, ...options }: DataOptions = {},
): Promise<TextData> {
  const fields = textFieldsAmong(settings.fields);
  const sources = await Promise.all(files.map((file) => file.open()));
  const total = sources.reduce((sum, { size }) => sum + size, 0);
  const tokenizer = base ? textModelOf(base).tokenizer : given(options.tokenizer, fields);
  const corpus = await openCorpus(sources, {
    preparation: preparationFrom(fields, format),
    learn: choiceFrom(fields),
    ...(tokenizer && { tokenizer }),
    ...(openStore && { openStore }),
    ...(unknown && { unknown }),
    ...(onProgress && { onProgress: (bytes: number) => onProgress(bytes, total) }),
    ...(signal && { signal }),
  });
  const { name, digest, length } = corpus;
  const shape = { vocabulary: corpus.tokenizer.size };
  const text = textRecordOf(corpus.preparation);
  return { name, digest, length, shape, text, corpus, close: () => corpus.close() };
}

function given(
  tokenizer: Tokenizer | undefined,
  { tokenizer: asked = 'character' }: Partial<TextFields>,
): Tokenizer | undefined {
  if (!tokenizer || tokenizer.kind === asked) return tokenizer;
  throw new EngineError(
    'invalid-setting',
    `tokenizer is ${asked}: expected ${tokenizer.kind}, as the tokenizer that is given is of that kind`,
  );
}
