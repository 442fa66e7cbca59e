import type { ModelFacts } from './protocol.ts';

/** A number of a model that is dragged or typed: one of its parameters, or its input current. */
export interface Knob {
  readonly name: string;
  readonly symbol: string;
  readonly unit: string;
  readonly initial: number;
  /** Bounds of valid values. */
  readonly minimum: number;
  readonly maximum: number;
  /** The useful range: the ends of the slider. */
  readonly range: readonly [low: number, high: number];
  /** A parameter of a user's equations, whose name says nothing. */
  readonly isOwn?: true;
}

export type KnobValues = Readonly<Record<string, number>>;

/** The input current among the knobs. No parameter has this name: those are lower case. */
export const INPUT = 'I';

/** Where the parameters of the catalogue are of interest; the allowed ranges are far wider. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  tau: [1, 100],
  tau_adaptation: [10, 1000],
  refractory: [0, 20],
  beta: [0, 0.5],
  reset: [-1, 1],
  a: [0, 0.2],
  b: [0, 0.4],
  c: [-80, -40],
  d: [0, 10],
};

/** Input currents of Izhikevich (2003), and of models of which nothing is known. */
const INPUTS = {
  izhikevich: { initial: 10, range: [-20, 40] },
  unknown: { initial: 0.5, range: [-1, 4] },
} as const;

/** The sliders of a model: its parameters in their order, and its input current. */
export function knobsOf(model: ModelFacts): readonly Knob[] {
  return [
    ...model.parameters.map((parameter) => ({
      ...parameter,
      range: (!model.isWritten && RANGES[parameter.name]) || rangeAround(parameter),
      ...(model.isWritten && { isOwn: true as const }),
    })),
    { name: INPUT, symbol: 'I', unit: '', minimum: -1e6, maximum: 1e6, ...inputOf(model) },
  ];
}

/** Inputs are in proportion to the threshold of a model that has one. */
function inputOf({ name, parameters }: ModelFacts): Pick<Knob, 'initial' | 'range'> {
  const threshold = parameters.find((parameter) => parameter.name === 'threshold')?.initial;
  if (threshold === undefined) {
    return name.startsWith('izhikevich') ? INPUTS.izhikevich : INPUTS.unknown;
  }
  return { initial: 0.1 * threshold, range: [-0.2 * threshold, 0.6 * threshold] };
}

/** From nothing to four times the initial value, within what is allowed. */
function rangeAround({ initial, minimum, maximum }: ModelFacts['parameters'][number]) {
  const ends = [0, initial === 0 ? 1 : 4 * initial];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return [Math.max(low, minimum), Math.min(high, maximum)] as const;
}

/** The values of a preset; one with another threshold also has its input scaled to it. */
export function presetValues(
  knobs: readonly Knob[],
  preset: Readonly<Record<string, number>>,
): KnobValues {
  const initial = Object.fromEntries(knobs.map((knob) => [knob.name, knob.initial]));
  const scale = (preset['threshold'] ?? 1) / (initial['threshold'] ?? 1);
  const input = (initial[INPUT] ?? 0) * ('threshold' in preset ? scale : 1);
  return { ...initial, [INPUT]: input, ...preset };
}

/** The ends of a slider, moved so far out that a value of a preset fits. */
export function rangeFor({ range: [low, high] }: Knob, value: number): readonly [number, number] {
  return [Math.min(low, value), Math.max(high, value)];
}

/** A step of a slider: about two hundred from end to end, and round. */
export function stepOf([low, high]: readonly [number, number]): number {
  return 10 ** Math.round(Math.log10((high - low) / 250));
}

/**
 * Values as an address carries them, `a:0.02,b:0.25`; those at their initial value are left out. What
 * is unknown, no number or not allowed has its initial value.
 */
export function readKnobs(knobs: readonly Knob[], written: string): KnobValues {
  const pairs = written.split(',').map((pair) => pair.split(':'));
  const given = new Map(pairs.map(([name = '', value = '']) => [name, value]));
  return Object.fromEntries(
    knobs.map(({ name, initial, minimum, maximum }) => {
      const text = given.get(name) ?? '';
      const value = text.trim() === '' ? Number.NaN : Number(text);
      return [name, value >= minimum && value <= maximum ? value : initial];
    }),
  );
}

export function writeKnobs(knobs: readonly Knob[], values: KnobValues): string {
  return knobs
    .flatMap(({ name, initial }) => {
      const value = values[name] ?? initial;
      return value === initial ? [] : `${name}:${value}`;
    })
    .join(',');
}
