import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import {
  choiceFrom,
  inspectText,
  preparationFrom,
  readTokenizer,
  textFields,
  textFieldsAmong,
  type TextReport,
} from '../../engine/index.ts';
import { openData } from '../data/open-data.ts';
import { fieldFlags, givenFields } from './field-flags.ts';

/** The command line of `data inspect`, as commander parses it, besides the flags of the text's fields. */
interface InspectFlags {
  readonly tokenizerFile?: string;
  readonly json?: boolean;
}

export function dataCommand(): Command {
  const inspect = new Command('inspect')
    .description('Inspect a text: its encoding, characters and tokens, and what filters remove.')
    .argument('<path>', 'a text, JSONL, or a folder of them')
    .option('--tokenizer-file <file>', 'a tokenizer.json instead of one built from the text');
  return new Command('data').addCommand(
    fieldFlags(inspect, textFields).option('--json', 'print one line of JSON').action(inspectData),
  );
}

async function inspectData(path: string, options: InspectFlags): Promise<void> {
  const files = await openData(path);
  try {
    const fields = textFieldsAmong(givenFields(options));
    const { tokenizerFile } = options;
    const sources = await Promise.all(files.files.map((file) => file.open()));
    const report = await inspectText(sources, {
      preparation: preparationFrom(fields),
      learn: choiceFrom(fields),
      ...(tokenizerFile !== undefined && {
        tokenizer: readTokenizer(await readFile(tokenizerFile)),
      }),
    });
    console.log(options.json ? JSON.stringify(report) : inWords(report));
  } finally {
    await files.close();
  }
}

const FILTERS = {
  jsonl: 'JSONL to its texts',
  aozora: 'mark-up of Aozora Bunko',
  normalise: 'normalisation',
} as const;

function inWords(report: TextReport): string {
  const { files, characters, distinct, lines, filters, tokenizer, tokens } = report;
  const share = characters === 0 ? 0 : tokens / characters;
  return [
    ...files.map(({ name, bytes, encoding }) => `${name}: ${bytes} bytes of ${encoding}`),
    `  ${characters} characters, ${distinct} distinct, ${lines} lines`,
    ...filters.map(
      ({ filter, taken, given }) =>
        `  ${FILTERS[filter]}: ${taken - given} of ${taken} characters removed`,
    ),
    `  ${tokens} tokens of ${tokenizer.size} (${tokenizer.kind}): ${share.toFixed(3)} a character`,
  ].join('\n');
}
