import { EngineError } from '../errors.ts';
import type { WrittenNeuron } from '../kernels/written-neuron.ts';
import { compileStep } from '../neurons/closures.ts';
import type { ResetRule } from './neurons.ts';

/** A neuron whose membrane, and the current of its synapse, are linear below its threshold. */
export interface LinearNeuron {
  /** Fraction of the synaptic current that a step keeps, and what it takes of its input; none without a synapse. */
  readonly synapse?: { readonly decay: number; readonly weight: number };
  /** Of the membrane likewise. */
  readonly decay: number;
  readonly gain: number;
  readonly threshold: number;
  readonly reset: ResetRule;
  /** Where a spike puts the membrane, or, by `subtract` and `delayed`, how much it takes away. */
  readonly amount: number;
}

/** Relative to 1: more than float64 rounds, less than anything that means something. */
const CLOSE = 1e-9;
/** Values that states and input are tried at, in parts of the input at which a neuron at rest fires. */
const PLACES = [-3, -1.7, -0.61, 0, 0.23, 0.41] as const;
/** Halvings of an interval, until float64 has no number between its ends. */
const HALVINGS = 200;

/**
 * The behaviour of a neuron, found by trying its step: NIR has nodes for linear neurons, whatever their equations
 * look like. Throws EngineError `checkpoint-mismatch` naming what NIR has no node for.
 */
export function linearNeuron(neuron: WrittenNeuron, dt: number): LinearNeuron {
  if (neuron.joins) refuse('means over a layer');
  if (neuron.states.some(({ initial }) => initial !== 0)) refuse('first states other than 0');
  const step = stepOf(neuron, dt);
  const rest = neuron.states.map(() => 0);
  const firing = smallestFiring((input) => step(rest, input).fires);
  const places = rest.map((_, i) => i);
  const [silent, fired] = [step(rest, 0.4 * firing).next, step(rest, 2 * firing).next];
  // A state that holds the spike itself: 1 after one, 0 otherwise.
  const flags = places.filter((i) => silent[i] === 0 && fired[i] === 1);
  const numbers = places.filter((i) => !flags.includes(i));
  if (flags.length > 1 || numbers.length < 1 || numbers.length > 2) {
    refuse(`${numbers.length} states that are numbers`);
  }
  const response: Response = (values, input) => {
    const { next } = step(
      rest.map((_, i) => values[numbers.indexOf(i)] ?? 0),
      input,
    );
    return numbers.map((i) => next[i] ?? 0);
  };
  const linear = linearOf(response, numbers.length, 0.2 * firing);
  checkLinear(linear, response, firing);
  const { membrane, ...shape } = shapeOf(linear);
  const threshold = firing * (linear.ofInput[membrane] ?? 0);
  const place = numbers[membrane] ?? 0;
  // Fires at two heights, by input alone: what is left of each says what a reset does.
  const [low, high] = [1.5, 2].map((height) => ({
    height: height * threshold,
    left: step(rest, height * firing).next[place] ?? 0,
  })) as [Left, Left];
  const set = rest.map((_, i) => Number(flags.includes(i)));
  // Taken away in the step after a spike, whose state is set.
  const delayed = flags.length > 0 ? -(step(set, 0).next[place] ?? 0) : undefined;
  return { ...shape, threshold, ...resetOf(low, high, delayed) };
}

function stepOf(neuron: WrittenNeuron, dt: number) {
  const compiled = compileStep(neuron);
  const constants = [
    ...neuron.parameters.map(({ value }) => value),
    ...neuron.learned.map(({ initial }) => initial),
  ];
  return (state: readonly number[], input: number) => {
    const next = Float64Array.from(state);
    const fires = compiled(next, constants, input, dt);
    return { next: [...next], fires };
  };
}

/** The numbers after a step from other ones. */
type Response = (values: readonly number[], input: number) => readonly number[];

function linearOf(response: Response, count: number, unit: number): Linear {
  const zero = Array.from({ length: count }, () => 0);
  const perUnit = (values: readonly number[]) => values.map((value) => value / unit);
  return {
    ofInput: perUnit(response(zero, unit)),
    ofState: zero.map((_, j) => perUnit(response(zero.with(j, unit), 0))),
  };
}

interface Linear {
  readonly ofInput: readonly number[];
  /** By the state that is moved, then by the state that follows. */
  readonly ofState: readonly (readonly number[])[];
}

function checkLinear({ ofInput, ofState }: Linear, response: Response, firing: number): void {
  for (const [k, first] of PLACES.entries()) {
    const input = (PLACES[(k + 2) % PLACES.length] ?? 0) * 0.2 * firing;
    const values = ofState.map(
      (_, j) => (j === 0 ? first : (PLACES[(k + 4) % PLACES.length] ?? 0)) * 0.2 * firing,
    );
    const found = response(values, input);
    for (const [i, value] of found.entries()) {
      const expected = values.reduce(
        (sum, own, j) => sum + own * (ofState[j]?.[i] ?? 0),
        input * (ofInput[i] ?? 0),
      );
      if (Math.abs(value - expected) > CLOSE * firing)
        refuse('a membrane that is not linear below its threshold');
    }
  }
}

/** One state is the membrane; of two, the one that the other feeds is. */
function shapeOf({ ofInput, ofState }: Linear) {
  const a = (from: number, to: number) => ofState[from]?.[to] ?? 0;
  if (ofState.length === 1) return { membrane: 0, decay: a(0, 0), gain: ofInput[0] ?? 0 };
  const current = Math.abs(a(1, 0)) < CLOSE ? 0 : 1;
  const membrane = 1 - current;
  const [decay, weight] = [a(current, current), ofInput[current] ?? 0];
  const gain = decay === 0 ? 0 : a(current, membrane) / decay;
  const isFed = Math.abs((ofInput[membrane] ?? 0) - gain * weight) < CLOSE;
  if (Math.abs(a(membrane, current)) > CLOSE || !isFed || gain === 0) {
    refuse('two states of which none is the current of a synapse that feeds the other');
  }
  return { membrane, decay: a(membrane, membrane), gain, synapse: { decay, weight } };
}

interface Left {
  readonly height: number;
  readonly left: number;
}

function resetOf(
  low: Left,
  high: Left,
  delayed: number | undefined,
): Pick<LinearNeuron, 'reset' | 'amount'> {
  const close = (a: number, b: number) =>
    Math.abs(a - b) <= CLOSE * Math.max(1, Math.abs(high.height));
  if (close(low.left, high.left)) return { reset: 'value', amount: low.left };
  const taken = high.height - high.left;
  if (!close(low.height - low.left, taken)) refuse('a reset that neither sets nor subtracts');
  if (delayed !== undefined) return { reset: 'delayed', amount: delayed };
  if (taken === 0) refuse('no reset');
  return { reset: 'subtract', amount: taken };
}

/** The smallest constant at which a neuron at rest fires in its first step. */
function smallestFiring(fires: (input: number) => boolean): number {
  let high = 1;
  while (!fires(high) && high < 2 ** 40) high *= 2;
  if (!fires(high) || fires(0)) refuse('a neuron that no positive input makes fire from rest');
  let low = 0;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (fires(middle)) high = middle;
    else low = middle;
  }
  return low;
}

function refuse(what: string): never {
  throw new EngineError(
    'checkpoint-mismatch',
    `NIR has no node for ${what}: this neuron cannot be exported`,
  );
}
