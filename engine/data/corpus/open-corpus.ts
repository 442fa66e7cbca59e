import { EngineError } from '../../errors.ts';
import type { ByteSource } from '../files/byte-source.ts';
import type { Corpus, CorpusOptions } from './corpus.ts';
import { openPlainCorpus, type PlainOptions } from './plain-corpus.ts';
import { isJsonl, type TextPreparation } from '../text/prepared-text.ts';
import { openTokenCorpus } from './token-corpus.ts';

/**
 * Opens a text in one or more files. Plain UTF-8 with a token per character is read in place; everything
 * else is encoded once into a store. Throws EngineError `text-too-short` for an empty text, `text-invalid`
 * for bytes that cannot be decoded, `unknown-character` for a character that a given tokenizer lacks.
 */
export async function openCorpus(
  source: ByteSource | readonly ByteSource[],
  options: CorpusOptions = {},
): Promise<Corpus> {
  const sources = 'read' in source ? [source] : source;
  if (sources.length === 0) {
    throw new EngineError('text-too-short', 'no file was given: expected text to learn from');
  }
  const plain = plainSource(sources, options);
  if (!plain) return openTokenCorpus(sources, options);
  try {
    return await openPlainCorpus(plain.source, plain.options);
  } catch (error) {
    if (!needsStore(error, options)) throw error;
    return openTokenCorpus(sources, options);
  }
}

/** The only file, if its tokens can be read in place; undefined if a store is needed. */
function plainSource(
  [source, ...others]: readonly ByteSource[],
  { tokenizer, learn, preparation = {}, onProgress, signal }: CorpusOptions,
): { readonly source: ByteSource; readonly options: PlainOptions } | undefined {
  if (!source || others.length > 0 || !isPlain(source.name, preparation)) return undefined;
  if (!tokenizer)
    return learn?.kind === 'bpe'
      ? undefined
      : { source, options: { tokenizer, onProgress, signal } };
  if (tokenizer.kind === 'bpe' || tokenizer.steps.length > 0) return undefined;
  return { source, options: { tokenizer, onProgress, signal } };
}

/** Whether the bytes of a text encode its characters without preparation. */
function isPlain(name: string, preparation: TextPreparation): boolean {
  const { encoding = 'utf-8', aozora = false, normalise = 'none' } = preparation;
  return encoding === 'utf-8' && !aozora && normalise === 'none' && !isJsonl(name, preparation);
}

/** Whether a text that cannot be read in place can be read through a store. */
function needsStore(error: unknown, { preparation, unknown }: CorpusOptions): boolean {
  if (!(error instanceof EngineError)) return false;
  if (error.code === 'unknown-character') return unknown === 'leave out';
  return error.code === 'text-invalid' && preparation?.encoding === undefined;
}
