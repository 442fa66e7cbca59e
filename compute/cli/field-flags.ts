import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  EngineError,
  type Field,
  familyDescriptions,
  type Fields,
  type FieldTable,
  type FieldValue,
  parseFlag,
} from '../../engine/index.ts';
import { readNeuronFile } from './neuron-file.ts';
import { numberOption } from './numbers.ts';

/** Flags that are shorter than the field's name on the wire. */
const SHORT: Readonly<Record<string, string>> = {
  n_heads: 'heads',
  num_blocks: 'blocks',
  neuron_equations: 'neuron',
};

/** Help text of each field. A field that is missing here is shown by its name alone. */
const TEXTS: Readonly<Record<string, string>> = {
  d_model: 'width of the model',
  n_heads: 'attention heads',
  num_blocks: 'blocks',
  time_steps: 'time steps per token or example',
  neuron_type: 'neuron model',
  neuron_equations: 'file with the equations of the neurons, in place of --neuron-type',
  checkpoints: 'keep the states of 2 sqrt(T) steps for gradients, and run the others twice: sqrt',
  seq_len: 'tokens per sequence',
  energy_importance: 'energy cost of a spike while gating is on',
  energy_supply: 'energy supplied per time step, before weighting by the reward',
  energy_threshold: 'minimum energy for a spike; neurons start with 255',
  density: 'fraction of neurons connected to each neuron',
  codebook_rank: 'features of the fixed code of each token',
  experts: 'experts per block',
  top_k: 'experts active per token',
  adapter_rank: 'rank of the adapters beside the synapses',
  hebbian_rate: 'learning rate of the synapses',
  negatives: 'negative samples per token, for larger vocabularies',
  dropout: 'fraction of spikes dropped',
  load_balance: 'weight of the load-balancing loss of the experts',
  fixed_seed: 'seed of codes, connectivity and initial synaptic weights',
  caption_seq_len: 'tokens per caption, including its end',
  caption_key: 'JSON key of the caption in each line',
  image_patch: 'side of a patch in pixels; each patch is one code',
  image_codes: 'codebook size for image patches',
  audio_codes: 'codebook size for audio frames',
  tokenizer: 'tokens are characters, or byte-level BPE learned from the text',
  vocab_size: 'maximum vocabulary size of BPE',
  encoding: 'text encoding (default: detected from its bytes)',
  aozora: 'remove the markup, header and footer of Aozora Bunko',
  normalise: 'Unicode normalisation form, with \\n as line ending',
};

/** A field of one or more familyDescriptions, as one flag. */
interface FieldFlag {
  readonly wire: string;
  readonly field: Field;
  /** The familyDescriptions that have it. */
  readonly owners: readonly string[];
}

/** All fields of all familyDescriptions by their names on the wire; familyDescriptions that share a name share the flag. */
const FLAGS: readonly FieldFlag[] = collect();

function collect(): FieldFlag[] {
  const found = new Map<string, FieldFlag>();
  for (const [architecture, { fields }] of Object.entries(familyDescriptions)) {
    for (const [wire, field] of Object.entries(fields)) {
      const known = found.get(wire);
      const owners = [...(known?.owners ?? []), architecture];
      found.set(wire, { wire, field: known ? merged(known.field, field) : field, owners });
    }
  }
  return [...found.values()];
}

/** A flag takes what any of its familyDescriptions takes; the family's own table checks it afterwards. */
function merged(a: Field, b: Field): Field {
  if (a.kind !== 'choice' || b.kind !== 'choice') return a;
  return { ...a, choices: [...new Set([...a.choices, ...b.choices])] };
}

/** Adds a flag for every field of every family, or for those of a table alone. */
export function fieldFlags(command: Command, table?: FieldTable): Command {
  const flags = FLAGS.filter(({ wire }) => !table || wire in table);
  return flags.reduce((all, flag) => all.addOption(optionOf(flag)), command);
}

function optionOf({ wire, field, owners }: FieldFlag): Option {
  const isOfAll = owners.length === Object.keys(familyDescriptions).length;
  const text = `${TEXTS[wire] ?? wire}${isOfAll ? '' : ` (${owners.join(', ')})`}`;
  const flag = `--${flagOf(wire)}`;
  if (field.kind === 'flag') return new Option(`${flag} [on]`, text).argParser(flagOption);
  if (field.kind === 'text') return new Option(`${flag} <file>`, text).argParser(readNeuronFile);
  if (field.kind === 'choice') return new Option(`${flag} <name>`, text).choices(field.choices);
  return new Option(`${flag} <n>`, text).argParser(numberOption);
}

/** Parses an option that is on or off. */
export function flagOption(text: string): boolean {
  const value = parseFlag(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError(`got "${text}", expected on or off.`);
}

function flagOf(wire: string): string {
  return SHORT[wire] ?? wire.replaceAll('_', '-');
}

/** The fields that a command line gives, by their names on the wire. */
export function givenFields(options: object): Fields {
  const values = options as Readonly<Record<string, FieldValue | undefined>>;
  const entries = FLAGS.flatMap(({ wire }) => {
    const value = values[memberOf(wire)];
    return value === undefined ? [] : [[wire, value] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * The fields of a run as a command line would give them. Throws EngineError `invalid-setting` for one that no family
 * has; whether the family of the run has it is seen where the run begins.
 */
export function flagsOfFields(fields: Fields): Readonly<Record<string, FieldValue>> {
  const entries = Object.entries(fields).map(([wire, value]) => {
    if (FLAGS.some((flag) => flag.wire === wire)) return [memberOf(wire), value] as const;
    throw new EngineError('invalid-setting', `there is no field "${wire.slice(0, 80)}"`);
  });
  return Object.fromEntries(entries);
}

/** Commander's name for a flag, such as `dModel`. */
function memberOf(wire: string): string {
  return flagOf(wire).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
