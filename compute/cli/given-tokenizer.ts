import { readFile } from 'node:fs/promises';
import { EngineError, readTokenizer, type RunSettings, type Tokenizer } from '../../engine/index.ts';

/**
 * The tokenizer of `--tokenizer-file`, where there is one. Throws as `readTokenizer`, and EngineError
 * `invalid-setting` where the fields ask for another.
 */
export async function givenTokenizer(
  { tokenizerFile: path }: { readonly tokenizerFile?: string },
  { fields }: RunSettings,
): Promise<Tokenizer | undefined> {
  if (path === undefined) return undefined;
  const tokenizer = readTokenizer(await readFile(path));
  const asked = { tokenizer: fields['tokenizer'], vocab_size: fields['vocab_size'] };
  const found = { tokenizer: tokenizer.kind, vocab_size: tokenizer.size };
  for (const name of ['tokenizer', 'vocab_size'] as const) {
    if (asked[name] === undefined || asked[name] === found[name]) continue;
    throw new EngineError(
      'invalid-setting',
      `${name} is ${asked[name]}: expected ${found[name]}, as ${path} has it`,
    );
  }
  return tokenizer;
}
