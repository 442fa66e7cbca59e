import type { LayerObservation, Observation } from '../layers/observe.ts';
import { refused } from './picture.ts';

export interface LayerChoice {
  /** The name of one layer; all layers of neurons below each other where it is left out. */
  readonly layer?: string;
  /** The example that is shown, from 0 on; the first by default. */
  readonly example?: number;
}

/**
 * Layers to be drawn. Throws EngineError `invalid-setting` for what is no observation, and a layer or example that
 * it does not have.
 */
export function layersOf(
  what: string,
  observation: Observation,
  { layer, example = 0 }: LayerChoice,
): readonly LayerObservation[] {
  const { layers, count } = checkObservation(what, observation);
  if (!(Number.isInteger(example) && example >= 0 && example < count)) {
    throw refused(what, `example is ${example}: expected a whole number from 0 to ${count - 1}`);
  }
  if (layers.length === 0) {
    throw refused(what, 'no layer was observed: expected a network with neurons');
  }
  const found = layers.filter(({ name }) => layer === undefined || name === layer);
  if (found.length > 0) return found;
  const names = layers.map(({ name }) => name).join(', ');
  throw refused(what, `there is no layer "${layer}": expected one of ${names}`);
}

function checkObservation(what: string, observation: Observation): Observation {
  const { layers, count, steps } = observation ?? {};
  if (!Array.isArray(layers) || !isCount(count) || !isCount(steps)) {
    throw refused(what, 'it is given no observation: expected what model.observe(x) returns');
  }
  for (const { name, spikes, membranes = spikes, rates } of observation.layers) {
    const expected = steps * count * rates.length;
    if (spikes.length === expected && membranes.length === expected) continue;
    throw refused(
      what,
      `layer "${name}" has ${spikes.length} spikes and ${membranes.length} membranes: expected ${expected} each, ` +
        `of ${steps} time steps, ${count} examples and ${rates.length} neurons`,
    );
  }
  return observation;
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0;

/** Neurons of a layer to be drawn: those that are asked for, or all. */
export function neuronsOf(
  what: string,
  { name, rates }: LayerObservation,
  asked: readonly number[] | undefined,
): readonly number[] {
  if (asked === undefined) return Array.from(rates, (_, neuron) => neuron);
  const wrong = asked.find((one) => !(Number.isInteger(one) && one >= 0 && one < rates.length));
  if (wrong === undefined && asked.length > 0) return asked;
  const range = `whole numbers from 0 to ${rates.length - 1}`;
  throw refused(
    what,
    wrong === undefined
      ? `neurons is empty: expected ${range}`
      : `layer "${name}" has no neuron ${wrong}: expected ${range}`,
  );
}

/** One neuron's values over time, in one example. */
export function overTime<A extends Float32Array | Uint8Array>(
  values: A,
  { count, steps }: Observation,
  { example, neuron }: { readonly example: number; readonly neuron: number },
): A {
  const width = values.length / (count * steps);
  const out = values.slice(0, steps);
  for (let step = 0; step < steps; step++) {
    out[step] = values[(step * count + example) * width + neuron] ?? Number.NaN;
  }
  // slice of an A is an A; its declaration does not say so for a union.
  return out as A;
}
