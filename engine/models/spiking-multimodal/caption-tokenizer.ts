import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import type { CharacterTokenizer } from '../../data/tokenizers/character-tokenizer.ts';
import { EngineError } from '../../errors.ts';
import type { MultimodalSpec } from './spec.ts';

/** The characters of a stored model. Throws EngineError `checkpoint-mismatch` for other tokens. */
export function captionTokenizerOf({ tokenizer }: StoredModel<MultimodalSpec>): CharacterTokenizer {
  if (tokenizer.kind === 'character') return tokenizer;
  throw new EngineError(
    'checkpoint-mismatch',
    `the model writes captions in ${tokenizer.kind} tokens: expected characters`,
  );
}
