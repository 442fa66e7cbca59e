import { readFile } from 'node:fs/promises';
import {
  type DataOptions,
  EngineError,
  readTokenizer,
  type RunSettings,
  type StoredTraining,
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
    refuse(
      `--tokenizer-file is ${tokenizerFile}: expected none, as the model that it goes on from has its own`,
    );
  }
  if (tokenizerFile !== undefined) {
    return { tokenizer: readTokenizer(await readFile(tokenizerFile)), openStore };
  }
  const { tokenizer, vocab_size: size } = settings.fields;
  if (size === undefined || tokenizer === 'bpe') return { openStore };
  refuse(`--vocab-size is ${size}: expected --tokenizer bpe with it`);
}

/** Only tones are made up. Throws EngineError `invalid-setting` where a run has nothing to learn from. */
export function requireData(
  dataset: string | undefined,
  flags: { readonly synthetic?: boolean },
): void {
  if (dataset !== undefined || flags.synthetic) return;
  refuse('--dataset is not given: expected data to learn from, or --synthetic with spiking_audio');
}

function refuse(message: string): never {
  throw new EngineError('invalid-setting', message);
}
