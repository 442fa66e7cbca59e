import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import {
  DEFAULT_VOCABULARY,
  EngineError,
  type Normalisation,
  NORMALISATIONS,
  preparationOf,
  readTokenizer,
  type StoredTraining,
  TEXT_ENCODINGS,
  type TextEncodingName,
  type TextPreparation,
  type Tokenizer,
  TOKENIZER_KINDS,
  type TokenizerChoice,
  type TokenizerKind,
} from '../../engine/index.ts';
import { numberOption } from './numbers.ts';

/** Flags that say how the files of a dataset become text. */
export interface PreparationFlags {
  readonly encoding?: TextEncodingName;
  readonly aozora?: true;
  readonly normalise?: Normalisation;
}

/** Flags that say how text becomes tokens besides. */
export interface TextFlags extends PreparationFlags {
  readonly tokenizer?: TokenizerKind;
  readonly vocabSize?: number;
  readonly tokenizerFile?: string;
}

export function preparationOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--encoding <name>', 'of the files (default: told from their bytes)').choices(
        TEXT_ENCODINGS,
      ),
    )
    .option('--aozora', 'remove the mark-up, header and footer of Aozora Bunko')
    .addOption(
      new Option(
        '--normalise <form>',
        'one form for characters that look the same, and \\n for line ends (default: none)',
      ).choices(NORMALISATIONS),
    );
}

export function tokenizerOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--tokenizer <kind>',
        'a token for each character, or byte-level BPE learned from the text (default: character)',
      ).choices(TOKENIZER_KINDS),
    )
    .option(
      '--vocab-size <n>',
      `tokens of BPE, at most (default: ${DEFAULT_VOCABULARY})`,
      numberOption,
    )
    .option('--tokenizer-file <file>', 'a tokenizer.json to use instead');
}

/** What the flags say of the text; what they leave out stays out. */
export function preparationFrom({
  encoding,
  aozora,
  normalise,
}: PreparationFlags): TextPreparation {
  return {
    ...(encoding && { encoding }),
    ...(aozora && { aozora }),
    ...(normalise && { normalise }),
  };
}

/** What a new run makes of its text. @throws EngineError invalid-setting for flags that do not go together */
export async function newTokens(flags: TextFlags): Promise<{
  readonly preparation: TextPreparation;
  readonly tokenizer?: Tokenizer;
  readonly learn?: TokenizerChoice;
}> {
  const { tokenizer: kind, vocabSize, tokenizerFile } = flags;
  const preparation = preparationFrom(flags);
  if (tokenizerFile !== undefined) {
    if (vocabSize !== undefined) refuse(`--vocab-size is ${vocabSize}: --tokenizer-file has its own`);
    const tokenizer = readTokenizer(await readFile(tokenizerFile));
    if (kind !== undefined && kind !== tokenizer.kind) {
      refuse(`--tokenizer is ${kind}: ${tokenizerFile} is of the kind ${tokenizer.kind}`);
    }
    return { preparation, tokenizer };
  }
  if (kind === 'bpe') {
    return { preparation, learn: { kind, vocabulary: vocabSize ?? DEFAULT_VOCABULARY } };
  }
  if (vocabSize !== undefined) refuse(`--vocab-size is ${vocabSize}: expected --tokenizer bpe with it`);
  return { preparation, learn: { kind: 'character' } };
}

/**
 * What a run that goes on makes of its text: the same as before. Throws EngineError `checkpoint-mismatch`
 * for a flag that is given and differs.
 */
export function resumedTokens(flags: TextFlags, { tokenizer, state }: StoredTraining) {
  const preparation = preparationOf(state.data.text);
  const { encoding = 'detected', aozora = false, normalise = 'none' } = preparation;
  const { tokenizer: kind, vocabSize, tokenizerFile } = flags;
  const changes: readonly (readonly [string, unknown, unknown])[] = [
    ['--tokenizer', tokenizer.kind, kind],
    ['--vocab-size', tokenizer.size, vocabSize],
    ['--tokenizer-file', 'its own', tokenizerFile],
    ['--encoding', encoding, flags.encoding],
    ['--aozora', aozora, flags.aozora],
    ['--normalise', normalise, flags.normalise],
  ];
  for (const [flag, was, given] of changes) {
    if (given === undefined || given === was) continue;
    throw new EngineError('checkpoint-mismatch', `${flag} is ${was} in the checkpoint but ${given} was given`);
  }
  return { preparation, tokenizer };
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
