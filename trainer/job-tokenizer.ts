import { sha256 } from '@noble/hashes/sha2.js';
import { digestOf } from '../edge/contract/digest.ts';
import { readTokenizer, type Tokenizer } from '../engine/index.ts';
import { openDataset } from './dataset.ts';
import type { JobContext } from './job-context.ts';
import { JobFailure } from './job-failure.ts';
import { baseMismatch, type StartingPoint } from './starting-point.ts';

/** Tokenizers of a million tokens are smaller. */
const MAX_BYTES = 1 << 27;

interface GivenTokenizer {
  readonly tokenizer?: Tokenizer;
  readonly digest?: string;
}

/** Rule 4. @throws JobFailure base_model_mismatch where a tokenizer is given that is not the base model's */
export function refuseOtherTokenizer(
  { name, stored: { spec } }: StartingPoint,
  { digest: actual }: GivenTokenizer,
): void {
  const expected = 'tokenizer' in spec ? spec.tokenizer.files_sha256['tokenizer.json'] : undefined;
  if (actual === undefined || actual === expected || actual === `sha256:${expected}`) return;
  const message = `tokenizer_file has the digest ${actual}, but the tokenizer of ${name} ${expected}`;
  const what = { aspect: 'tokenizer', field: '/tokenizer_file' } as const;
  throw baseMismatch(message, [{ ...what, expected, actual }]);
}

/**
 * The tokenizer that a job names, located as its dataset is; empty if it names none.
 * @throws JobFailure `tokenizer_invalid`, and as `openDataset`
 */
export async function givenTokenizer({
  plan: { tokenizerFile: path },
  client,
  environment,
  early,
}: JobContext): Promise<GivenTokenizer> {
  if (path === undefined) return {};
  const found = await openDataset(path, client, environment, { signal: early });
  try {
    const [file, ...others] = found.files.files;
    if (!file || others.length > 0 || file.size > MAX_BYTES) {
      const what = file && others.length === 0 ? `${file.size} bytes` : 'a folder';
      throw invalid(path, `it is ${what}: expected a tokenizer.json of at most ${MAX_BYTES}`);
    }
    const source = await file.open();
    const bytes = await source.read(0, source.size);
    return { tokenizer: readTokenizer(bytes), digest: digestOf(sha256(bytes)) };
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
