import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import {
  EngineError,
  initialFields,
  NORMALISATIONS,
  type PreparationFields,
  readTokenizer,
  TEXT_ENCODINGS,
  textFields,
  type TextFields,
  type Tokenizer,
  TOKENIZER_KINDS,
} from '../../engine/index.ts';
import { numberOption } from './numbers.ts';

/** Flags that say how the files of a dataset become text. */
export interface PreparationFlags {
  readonly encoding?: PreparationFields['encoding'];
  readonly aozora?: true;
  readonly normalise?: PreparationFields['normalise'];
}

/** Flags that say how text becomes tokens besides. */
export interface TextFlags extends PreparationFlags {
  readonly tokenizer?: TextFields['tokenizer'];
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
        'make what looks the same the same, and line ends \\n (default: none)',
      ).choices(NORMALISATIONS),
    );
}

export function tokenizerOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--tokenizer <kind>',
        'tokens are characters, or byte-level BPE learned from the text (default: character)',
      ).choices(TOKENIZER_KINDS),
    )
    .option(
      '--vocab-size <n>',
      `tokens of BPE, at most (default: ${textFields.vocab_size.initial})`,
      numberOption,
    )
    .option('--tokenizer-file <file>', 'a tokenizer.json to use instead');
}

/** The fields that the flags set. */
export function givenText(flags: TextFlags): Partial<TextFields> {
  const { tokenizer, vocabSize: vocab_size, encoding, aozora, normalise } = flags;
  const entries = Object.entries({ tokenizer, vocab_size, encoding, aozora, normalise });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** How a new run makes tokens of its text. */
export interface NewText {
  readonly fields: TextFields;
  /** The one of `--tokenizer-file`. */
  readonly tokenizer: Tokenizer | undefined;
}

/** @throws EngineError `invalid-setting` for flags that do not go together, and as `readTokenizer` */
export async function newText(flags: TextFlags): Promise<NewText> {
  const { tokenizer: kind, vocabSize, tokenizerFile } = flags;
  const fields = { ...initialFields(textFields), ...givenText(flags) };
  if (tokenizerFile === undefined) {
    if (vocabSize === undefined || kind === 'bpe') return { fields, tokenizer: undefined };
    refuse(`--vocab-size is ${vocabSize}: expected --tokenizer bpe with it`);
  }
  if (vocabSize !== undefined) {
    refuse(`--vocab-size is ${vocabSize}: expected none with --tokenizer-file`);
  }
  const tokenizer = readTokenizer(await readFile(tokenizerFile));
  if (kind !== undefined && kind !== tokenizer.kind) {
    refuse(`--tokenizer is ${kind}: ${tokenizerFile} is of the kind ${tokenizer.kind}`);
  }
  const own = tokenizer.kind === 'bpe' ? { vocab_size: tokenizer.size } : {};
  return { fields: { ...fields, tokenizer: tokenizer.kind, ...own }, tokenizer };
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
