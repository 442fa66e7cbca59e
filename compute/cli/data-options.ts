import { readFile } from 'node:fs/promises';
import {
  type DataOptions,
  EngineError,
  readTokenizer,
  type RunSettings,
  type StoredTraining,
  type Tokenizer,
} from '../../engine/index.ts';
import { openTokenFile } from '../checkpoints/token-file.ts';

interface Opening {
  readonly settings: RunSettings;
  readonly resume: StoredTraining | undefined;
  readonly tokenizerFile: string | undefined;
  /** Where checkpoints go: there is room for large things there. */
  readonly output: string;
}

/**
 * How the data of a run is opened: with the model that it goes on from, or with a tokenizer that is given.
 * Throws EngineError `invalid-setting` for flags that do not go together, and as `readTokenizer`.
 */
export async function dataOptions(opening: Opening): Promise<DataOptions> {
  const { settings, resume, tokenizerFile, output } = opening;
  const openStore = () => openTokenFile(output);
  if (resume) {
    if (tokenizerFile === undefined) return { base: resume, openStore };
    refuse(`--tokenizer-file is ${tokenizerFile}: expected none, as --resume has its own`);
  }
  if (tokenizerFile !== undefined) {
    return { tokenizer: await givenTokenizer(tokenizerFile, settings), openStore };
  }
  const { tokenizer, vocab_size: size } = settings.fields;
  if (size === undefined || tokenizer === 'bpe') return { openStore };
  refuse(`--vocab-size is ${size}: expected --tokenizer bpe with it`);
}

/** What the fields say of the tokenizer has to be so of the one that is given. */
async function givenTokenizer(path: string, { fields }: RunSettings): Promise<Tokenizer> {
  const tokenizer = readTokenizer(await readFile(path));
  const found = { tokenizer: tokenizer.kind, vocab_size: tokenizer.size };
  for (const [name, value] of Object.entries(found)) {
    const asked = fields[name];
    if (asked === undefined || asked === value) continue;
    refuse(`${name} is ${asked}: expected ${value}, as ${path} has it`);
  }
  return tokenizer;
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
