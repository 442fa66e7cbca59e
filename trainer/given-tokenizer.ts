import { readTokenizer, type Tokenizer } from '../engine/index.ts';
import { openDataset } from './dataset.ts';
import type { JobContext } from './job-context.ts';
import { JobFailure } from './job-failure.ts';

/** Tokenizers of a million tokens are smaller. */
const MOST_BYTES = 1 << 27;

/**
 * The tokenizer that a job names, found as its dataset is; nothing where it names none.
 *
 * @throws JobFailure `tokenizer_invalid`, and as `openDataset`
 */
export async function givenTokenizer({
  plan: { tokenizerFile: path },
  client,
  environment,
  early,
}: JobContext): Promise<{ readonly tokenizer?: Tokenizer }> {
  if (path === undefined) return {};
  const found = await openDataset(path, client, environment, { signal: early });
  try {
    const [file, ...others] = found.files.files;
    if (!file || others.length > 0 || file.size > MOST_BYTES) {
      const what = file && others.length === 0 ? `${file.size} bytes` : 'a folder';
      throw invalid(path, `it is ${what}: expected a tokenizer.json of at most ${MOST_BYTES}`);
    }
    const source = await file.open();
    return { tokenizer: readTokenizer(await source.read(0, source.size)) };
  } catch (error) {
    if (error instanceof JobFailure || !(error instanceof Error)) throw error;
    throw invalid(path, error.message);
  } finally {
    await found.close();
  }
}

function invalid(path: string, why: string): JobFailure {
  return new JobFailure('tokenizer_invalid', `tokenizer_file is "${path}": ${why}`);
}
