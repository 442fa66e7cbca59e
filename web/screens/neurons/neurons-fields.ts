import { type CatalogueModel, neuronCatalogue } from '../../../engine/index.ts';
import { INPUT, type Knob, knobsOf, type KnobValues, readKnobs } from '../../neuron-lab/knobs.ts';
import type { Exploration } from '../../neuron-lab/neuron-lab.ts';
import { STIMULI } from '../../neuron-lab/stimulus.ts';
import type { NumberRule } from '../../ui/number-input.ts';
import { integer, number, oneOf, text, type Values } from '../../url-state/fields.ts';

export type ModelName = keyof typeof neuronCatalogue;
export const MODEL_NAMES = Object.keys(neuronCatalogue) as readonly ModelName[];

/** Time steps to choose from, ms, as text: they are options of a list. */
export const TIME_STEPS = ['0.05', '0.1', '0.25', '0.5', '1'] as const;

export const RULES = {
  on: { kind: 'decimal', min: 0, max: 10_000 },
  off: { kind: 'decimal', min: 0, max: 10_000 },
  hz: { kind: 'decimal', min: 0.1, max: 1000 },
  noise: { kind: 'integer', min: 0, max: 999_999_999 },
  ms: { kind: 'integer', min: 10, max: 5000 },
} as const satisfies Readonly<Record<string, NumberRule>>;

/** Everything of the lab that a link carries. */
export const FIELDS = {
  model: oneOf('izhikevich', MODEL_NAMES),
  /** Parameters and input current that are not initial, see `readKnobs`. */
  p: text('', 600),
  input: oneOf('step', STIMULI),
  on: number(50, RULES.on),
  off: number(450, RULES.off),
  hz: number(10, RULES.hz),
  noise: integer(1, RULES.noise),
  ms: integer(500, RULES.ms),
  dt: oneOf('0.5', TIME_STEPS),
};
export type NeuronsFields = Values<typeof FIELDS>;
export type ChangeNeurons = (change: Partial<NeuronsFields>) => void;

/** A model with its sliders, and where they stand. */
export interface Choice {
  readonly model: CatalogueModel;
  readonly knobs: readonly Knob[];
  readonly values: KnobValues;
}

export function choiceOf({ model: name, p }: Pick<NeuronsFields, 'model' | 'p'>): Choice {
  const model = neuronCatalogue[name];
  const knobs = knobsOf(model);
  return { model, knobs, values: readKnobs(knobs, p) };
}

/** Izhikevich's neurons fire at this potential, mV. */
const PEAK = 30;

export const isIzhikevich = ({ name }: CatalogueModel) => name.startsWith('izhikevich');

/** The level that the membrane potential has to pass for a spike. */
export function levelOf({ model, values }: Choice): number {
  return isIzhikevich(model) ? PEAK : (values['threshold'] ?? Number.NaN);
}

/** States that say something of their own: not the membrane, and not what only counts. */
export function otherStates({ states }: CatalogueModel): number[] {
  const counters = ['rest', 's'];
  return states.flatMap(({ name }, index) => (index > 0 && !counters.includes(name) ? index : []));
}

/** What the worker is to compute for the fields. */
export function explorationOf(fields: NeuronsFields, choice: Choice): Exploration {
  const { model, knobs, values } = choice;
  const input = knobs.find(({ name }) => name === INPUT);
  return {
    model: model.name,
    parameters: model.parameters.map(({ name, initial }) => values[name] ?? initial),
    dt: Number(fields.dt),
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
