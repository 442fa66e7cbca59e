import { NEURON_LIMITS, neuronCatalogue, writtenNeurons } from '../../../engine/index.ts';
import type { HostPlugin } from '../../neuron-lab/host-runner.ts';
import { RULE_NAMES } from '../../neuron-lab/plasticity-knobs.ts';
import { INPUT, type Knob, knobsOf, type KnobValues, readKnobs } from '../../neuron-lab/knobs.ts';
import type { Exploration } from '../../neuron-lab/neuron-lab.ts';
import type { ModelFacts } from '../../neuron-lab/protocol.ts';
import { STIMULI } from '../../neuron-lab/stimulus.ts';
import type { NumberRule } from '../../ui/number-input.ts';
import { integer, number, oneOf, text, type Values } from '../../url-state/fields.ts';

/** Models of which one neuron alone says something: phases are entangled with those of others. */
type ModelName = Exclude<keyof typeof neuronCatalogue, 'entangled'>;
export const MODEL_NAMES = Object.keys(neuronCatalogue).filter(
  (name) => name !== 'entangled',
) as readonly ModelName[];

/** Stands for the model that was opened from a file, where a model is named. */
export const OWN = 'own';
/** Stands for a neuron of equations, where a model is named. */
export const EQUATIONS = 'equations';
/** Stands before the host and the name of a plugin, where a model is named. */
const PLUGIN = 'plugin:';

/** Time steps to choose from, ms, as text: they are options of a list. */
export const TIME_STEPS = ['0.05', '0.1', '0.25', '0.5', '1'] as const;

export const RULES = {
  on: { kind: 'decimal', min: 0, max: 10_000 },
  off: { kind: 'decimal', min: 0, max: 10_000 },
  hz: { kind: 'decimal', min: 0.1, max: 1000 },
  noise: { kind: 'integer', min: 0, max: 999_999_999 },
  ms: { kind: 'integer', min: 10, max: 5000 },
  spread: { kind: 'decimal', min: 0.001, max: 0.2 },
} as const satisfies Readonly<Record<string, NumberRule>>;

/** Everything of the lab that a link carries. */
export const FIELDS = {
  /** A model of the catalogue, `own`, `equations`, or `plugin:host/name`. */
  model: text('izhikevich', 140),
  /** Parameters and input current that are not initial, see `readKnobs`. */
  p: text('', 600),
  eq: text(writtenNeurons.alif.text, NEURON_LIMITS.characters),
  input: oneOf('step', STIMULI),
  on: number(50, RULES.on),
  off: number(450, RULES.off),
  hz: number(10, RULES.hz),
  noise: integer(1, RULES.noise),
  ms: integer(500, RULES.ms),
  dt: oneOf('0.5', TIME_STEPS),
  /** The plasticity rule that is measured, and its parameters that are not initial. */
  rule: oneOf('stdp', RULE_NAMES),
  w: text('', 300),
  /** Spread of the natural frequencies, rad/ms. */
  spread: number(0.02, RULES.spread),
};
export type NeuronsFields = Values<typeof FIELDS>;
export type ChangeNeurons = (change: Partial<NeuronsFields>) => void;

/** A model as it is shown: what is computed of it, and what is known about it. */
export interface ShownModel extends ModelFacts {
  readonly equations: readonly string[];
  readonly source: string;
  readonly presets: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A model with its sliders, and where they stand. */
export interface Choice {
  readonly model: ShownModel;
  /** Where it runs, if not in this tab. */
  readonly plugin: HostPlugin | null;
  /** Its equations, where a user wrote it. */
  readonly equations: string | undefined;
  readonly knobs: readonly Knob[];
  readonly values: KnobValues;
}

const NOTHING = { states: [], parameters: [], equations: [], source: '', presets: {} };

/** Models that are not in the catalogue, where there are any. */
interface OwnModels {
  /** Opened from a file. */
  readonly own: ModelFacts | null;
  /** The equations, once they are read. */
  readonly written: { readonly text: string; readonly facts: ModelFacts } | null;
}

export function choiceOf(
  { model: name, p }: Pick<NeuronsFields, 'model' | 'p'>,
  models: OwnModels,
): Choice {
  const plugin = pluginOf(name);
  const model = plugin ? { ...NOTHING, name: plugin.name } : modelOf(name, models);
  const knobs = knobsOf(model);
  const equations = name === EQUATIONS ? models.written?.text : undefined;
  return { model, plugin, equations, knobs, values: readKnobs(knobs, p) };
}

function modelOf(name: string, { own, written }: OwnModels): ShownModel {
  if (name === OWN && own) return { ...NOTHING, ...own };
  if (name === EQUATIONS) return { ...NOTHING, ...(written?.facts ?? { name: EQUATIONS }) };
  return neuronCatalogue[MODEL_NAMES.find((known) => known === name) ?? 'izhikevich'];
}

export const pluginModel = ({ host, name }: HostPlugin): string => `${PLUGIN}${host}/${name}`;

/** The plugin that a model's name stands for, if it is one. */
function pluginOf(model: string): HostPlugin | null {
  if (!model.startsWith(PLUGIN)) return null;
  const [host = '', name = ''] = model.slice(PLUGIN.length).split('/');
  return { host, name };
}

/** Izhikevich's neurons fire at this potential, mV. */
const PEAK = 30;

export const isIzhikevich = ({ name }: ModelFacts) => name.startsWith('izhikevich');

/** The level that the membrane potential has to pass for a spike. */
export function levelOf({ model, values }: Choice): number {
  return isIzhikevich(model) ? PEAK : (values['threshold'] ?? Number.NaN);
}

/** States that say something of their own: not the membrane, and not what only counts. */
export function otherStates({ states }: ModelFacts): number[] {
  const counters = ['rest', 's'];
  return states.flatMap(({ name }, index) => (index > 0 && !counters.includes(name) ? index : []));
}

/** The computation that the fields describe. Layers of a plugin use time steps of 1 ms. */
export function explorationOf(fields: NeuronsFields, choice: Choice): Omit<Exploration, 'runner'> {
  const { model, knobs, values } = choice;
  const input = knobs.find(({ name }) => name === INPUT);
  return {
    model: model.name,
    equations: choice.equations,
    parameters: model.parameters.map(({ name, initial }) => values[name] ?? initial),
    dt: choice.plugin ? 1 : Number(fields.dt),
    duration: fields.ms,
    stimulus: {
      shape: fields.input,
      amplitude: values[INPUT] ?? 0,
      from: fields.on,
      to: fields.off,
      frequency: fields.hz,
      seed: fields.noise,
    },
    highestCurrent: Math.max(input?.range[1] ?? 1, values[INPUT] ?? 0),
    peak: isIzhikevich(model) ? PEAK : Number.POSITIVE_INFINITY,
    others: otherStates(model),
    plane: isIzhikevich(model) ? { a: values['a'] ?? 0, b: values['b'] ?? 0 } : null,
  };
}
