import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import { type ModelSpec, modelSpecOf } from '../checkpoint/model-spec.ts';
import { preparationOf, textRecordOf } from '../checkpoint/text-record.ts';
import { tokenizerSpecOf } from '../checkpoint/tokenizer-bundle.ts';
import type { Corpus } from '../data/corpus.ts';
import { EngineError } from '../errors.ts';
import type { ChronospikeStructure } from '../models/dense-chronospike/structure.ts';

/** What a run that goes on is asked to train, and on what. */
export interface ResumeTarget {
  readonly corpus: Corpus;
  readonly structure: ChronospikeStructure;
  /** Tokens of a sequence; the time constants of the attention follow from it. */
  readonly sequence: number;
}

/** Throws EngineError `checkpoint-mismatch` naming both sides where text or model is another one. */
export function checkResume({ state, spec }: StoredTraining, target: ResumeTarget): void {
  const { corpus, structure, sequence } = target;
  if (state.data.sha256 !== corpus.digest) {
    mismatch(
      `the checkpoint was trained on ${state.data.name} (sha256 ${state.data.sha256}), ` +
        `but ${corpus.name} has the sha256 ${corpus.digest}`,
    );
  }
  const text = Object.entries(textRecordOf(corpus.preparation));
  const read = Object.entries(textRecordOf(preparationOf(state.data.text)));
  for (const [i, [name, value]] of text.entries()) {
    const held = read[i]?.[1];
    if (held === value) continue;
    mismatch(`the checkpoint read its text with ${name} ${held}, the settings ask for ${value}`);
  }
  const stored = fieldsOf(spec);
  const asked = fieldsOf(modelSpecOf(structure, sequence, tokenizerSpecOf(corpus.tokenizer)));
  for (const [name, value] of Object.entries(asked)) {
    if (stored[name] === value) continue;
    mismatch(`the checkpoint has ${name} ${stored[name]}, the settings ask for ${value}`);
  }
}

/** Every field of a model_spec as text: what others follow from first, as tau from n_heads and seq_len. */
function fieldsOf({ core, ...own }: ModelSpec): Record<string, string> {
  const { tau, ...rest } = core;
  const fields = Object.entries({ ...own, ...rest, tau });
  return Object.fromEntries(fields.map(([name, value]) => [name, JSON.stringify(value)]));
}

function mismatch(what: string): never {
  throw new EngineError('checkpoint-mismatch', what);
}
