import {
  neuronCatalogue,
  type PlasticitySpec,
  type SimulationDescription,
} from '../../engine/index.ts';
import type { NumberRule } from '../ui/number-input.ts';

/** Where a number stands in a description. */
export type NumberPath = readonly (string | number)[];

/** Meaning of a number: a term of the screen, or the symbol of a model parameter. */
type NumberWord =
  | { readonly kind: 'word'; readonly word: EditableWord }
  | { readonly kind: 'symbol'; readonly symbol: string; readonly unit: string };

type EditableWord = keyof typeof RULES;

export interface EditableNumber {
  readonly path: NumberPath;
  readonly word: NumberWord;
  readonly value: number;
  readonly rule: NumberRule;
}

/** A part of a network with the numbers that can be changed in it. */
export interface EditablePart {
  readonly kind: 'population' | 'projection' | 'stimulus';
  readonly index: number;
  /** Its name, or the names of the populations that it joins or drives. */
  readonly names: readonly string[];
  /** The model, the rule by which it joins, or the kind of the stimulus. */
  readonly detail: string;
  readonly numbers: readonly EditableNumber[];
}

const RULES = {
  count: { kind: 'integer', min: 1, max: 100_000 },
  p: { kind: 'decimal', min: 0, max: 1 },
  k: { kind: 'integer', min: 1, max: 100_000 },
  weight: { kind: 'decimal', min: -1e6, max: 1e6 },
  weightLow: { kind: 'decimal', min: -1e6, max: 1e6 },
  weightHigh: { kind: 'decimal', min: -1e6, max: 1e6 },
  weightMean: { kind: 'decimal', min: -1e6, max: 1e6 },
  weightDeviation: { kind: 'decimal', min: 0, max: 1e6 },
  delay: { kind: 'decimal', min: 0.01, max: 1000 },
  rate: { kind: 'decimal', min: 0, max: 1e6 },
  mean: { kind: 'decimal', min: -1e6, max: 1e6 },
  deviation: { kind: 'decimal', min: 0, max: 1e6 },
  current: { kind: 'decimal', min: -1e6, max: 1e6 },
} as const satisfies Readonly<Record<string, NumberRule>>;

/** Every number of a network that a form can hold; arrays with a value a neuron stay as they are. */
export function editableParts(description: SimulationDescription): readonly EditablePart[] {
  const { populations, projections = [], stimuli = [] } = description;
  return [
    ...populations.map((population, index): EditablePart => {
      const at = ['populations', index] as const;
      const parameters = Object.entries(population.parameters ?? {}).flatMap(([name, value]) =>
        typeof value === 'number'
          ? [parameterNumber(population.model, name, value, [...at, 'parameters', name])]
          : [],
      );
      const count = wordNumber('count', population.count, [...at, 'count']);
      return {
        kind: 'population',
        index,
        names: [population.name],
        detail: population.model,
        numbers: [count, ...parameters],
      };
    }),
    ...projections.map((projection, index): EditablePart => ({
      kind: 'projection',
      index,
      names: [projection.from, projection.to],
      detail: projection.connect.kind,
      numbers: numbersOf(projection, ['projections', index]),
    })),
    ...stimuli.map((stimulus, index): EditablePart => ({
      kind: 'stimulus',
      index,
      names: [stimulus.to],
      detail: stimulus.kind,
      numbers: numbersOf(stimulus, ['stimuli', index]),
    })),
  ];
}

const wordNumber = (word: EditableWord, value: number, path: NumberPath): EditableNumber => ({
  path,
  word: { kind: 'word', word },
  // Free of the dust of binary fractions, such as 6 times 0.4.
  value: Number(value.toPrecision(12)),
  rule: RULES[word],
});

function parameterNumber(
  model: string,
  name: string,
  value: number,
  path: NumberPath,
): EditableNumber {
  const models: Readonly<Record<string, (typeof neuronCatalogue)['lif']>> = neuronCatalogue;
  const found = models[model]?.parameters.find((parameter) => parameter.name === name);
  if (!found) return { ...wordNumber('rate', value, path), word: ownWord(name) };
  const { symbol, unit, minimum: min, maximum: max } = found;
  return {
    path,
    value,
    word: { kind: 'symbol', symbol, unit },
    rule: { kind: 'decimal', min, max },
  };
}

const ownWord = (name: string): NumberWord =>
  name === 'rate' ? { kind: 'word', word: 'rate' } : { kind: 'symbol', symbol: name, unit: '' };

/** Names of the members of a spec that hold a number, or that are drawn from a distribution. */
const DRAWN = {
  uniform: ['weightLow', 'weightHigh'],
  normal: ['weightMean', 'weightDeviation'],
} as const;

function numbersOf(spec: object, path: NumberPath): EditableNumber[] {
  return Object.entries(spec).flatMap(([name, value]: [string, unknown]) => {
    const at = [...path, name];
    if (typeof value === 'number' && isWord(name)) return [wordNumber(name, value, at)];
    if (name === 'connect') return numbersOf(value as object, at);
    if (name === 'plasticity') return ruleNumbers(value as PlasticitySpec, at);
    if (name === 'weight' && typeof value === 'object' && value !== null) return drawn(value, at);
    return [];
  });
}

/** The parameters of a plasticity rule, by the names that the rule has for them. */
const ruleNumbers = ({ parameters = {} }: PlasticitySpec, path: NumberPath): EditableNumber[] =>
  Object.entries(parameters).map(([name, value]) => ({
    path: [...path, 'parameters', name],
    word: { kind: 'symbol', symbol: name, unit: '' },
    value: Number(value.toPrecision(12)),
    rule: RULES.weight,
  }));

function drawn(weight: object, path: NumberPath): EditableNumber[] {
  return Object.entries(weight).flatMap(([kind, pair]: [string, unknown]) => {
    if (!(kind in DRAWN) || !Array.isArray(pair)) return [];
    const words = DRAWN[kind as keyof typeof DRAWN];
    return words.map((word, end) => wordNumber(word, Number(pair[end]), [...path, kind, end]));
  });
}

const isWord = (name: string): name is EditableWord => name in RULES;

/** A copy of `value` with one number in it changed; a population of another size has its arrays refilled. */
export function withNumber(
  description: SimulationDescription,
  path: NumberPath,
  value: number,
): SimulationDescription {
  // A path of `editableParts` leads to a number, so the copy is a description too.
  const changed = setAt(description, path, value) as SimulationDescription;
  const [part, index, name] = path;
  if (part !== 'populations' || name !== 'count') return changed;
  const populations = changed.populations.map((population, at) =>
    at === index ? { ...population, ...refilled(population, value) } : population,
  );
  return { ...changed, populations };
}

function setAt(value: unknown, [key, ...rest]: NumberPath, number: number): unknown {
  if (key === undefined) return number;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === key ? setAt(item, rest, number) : item));
  }
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [key]: setAt(record[key], rest, number) };
}

/** Arrays with a value a neuron, repeated from the beginning until every neuron has one. */
function refilled(
  { parameters, initial }: SimulationDescription['populations'][number],
  count: number,
) {
  const fit = (values: typeof parameters) =>
    values &&
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        Array.isArray(value)
          ? Array.from({ length: count }, (_, i) => Number(value[i % value.length]))
          : value,
      ]),
    );
  return {
    ...(parameters && { parameters: fit(parameters) }),
    ...(initial && { initial: fit(initial) }),
  };
}
