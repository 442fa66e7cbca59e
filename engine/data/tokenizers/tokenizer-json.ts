import * as z from 'zod/mini';
import { EngineError } from '../../errors.ts';
import { MAX_TOKENS } from './pair-queue.ts';
import type { NormalStep } from '../text/normalise.ts';

/*
 * The parts of `tokenizer.json` of the Hugging Face tokenizers library that files of characters and of BPE
 * have in common.
 */

export function damagedTokenizer(message: string, cause?: unknown): EngineError {
  return new EngineError('checkpoint-damaged', `tokenizer.json cannot be read: ${message}`, {
    cause,
  });
}

/** Parses a part by its schema; the error names the path, the value and what was expected. */
export function parsePart<T>(schema: z.ZodMiniType<T>, value: unknown, place?: string): T {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(place ? [place] : []), ...(issue?.path ?? [])].join('.');
  throw damagedTokenizer(`${path}: ${issue?.message}`);
}

/** The start of all files written here. */
export const FILE_HEAD = { version: '1.0', truncation: null, padding: null, added_tokens: [] };

const NEWLINES = { type: 'Replace', pattern: { Regex: '\\r\\n?' }, content: '\n' } as const;
const FORMS: readonly string[] = ['NFC', 'NFD', 'NFKC', 'NFKD'];

/** The normalizer that does these steps. */
export function encodeSteps(steps: readonly NormalStep[]): unknown {
  if (steps.length === 0) return null;
  const normalizers = steps.map((step) => {
    if (step === 'newlines') return NEWLINES;
    return { type: step === 'lowercase' ? 'Lowercase' : step };
  });
  return normalizers.length === 1 ? normalizers[0] : { type: 'Sequence', normalizers };
}

const Normalizer = z.looseObject({ type: z.string() });
const Sequence = z.object({ normalizers: z.array(z.unknown()) });
const Replace = z.object({ pattern: z.object({ Regex: z.string() }), content: z.string() });

/** The steps of a normalizer. Throws EngineError `checkpoint-damaged` naming one that is not known. */
export function decodeSteps(normalizer: unknown): readonly NormalStep[] {
  if (normalizer === null || normalizer === undefined) return [];
  const { type } = parsePart(Normalizer, normalizer, 'normalizer');
  if (type === 'Sequence')
    return parsePart(Sequence, normalizer, 'normalizer').normalizers.flatMap(decodeSteps);
  if (type === 'Lowercase') return ['lowercase'];
  if (FORMS.includes(type)) return [type as NormalStep];
  if (type === 'Replace') {
    const { pattern, content } = parsePart(Replace, normalizer, 'normalizer');
    if (pattern.Regex === NEWLINES.pattern.Regex && content === NEWLINES.content) {
      return ['newlines'];
    }
  }
  throw damagedTokenizer(
    `normalizer: got ${JSON.stringify(normalizer).slice(0, 100)}, expected NFC, NFD, NFKC, NFKD, ` +
      'Lowercase or a Sequence of them',
  );
}

/** Many times more than other tokenizers have. */
const MAX_ADDED = 1 << 16;
const MAX_ADDED_LENGTH = 1024;

const AddedToken = z.object({
  id: z.int().check(z.gte(0), z.lt(MAX_TOKENS)),
  content: z.string().check(z.minLength(1), z.maxLength(MAX_ADDED_LENGTH)),
  single_word: z.prefault(z.literal(false), false),
  lstrip: z.prefault(z.literal(false), false),
  rstrip: z.prefault(z.literal(false), false),
});

const AddedTokens = z.nullish(z.array(AddedToken).check(z.maxLength(MAX_ADDED)));

/** The added tokens of a file. */
export function decodeAddedTokens(added: unknown) {
  const tokens = parsePart(AddedTokens, added, 'added_tokens') ?? [];
  return tokens.map(({ id, content }) => ({ id, content }));
}
