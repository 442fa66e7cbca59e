import { EngineError } from '../errors.ts';
import type { Inputs } from '../layers/example-inputs.ts';
import type { Model } from '../layers/model.ts';
import type { LayerObservation, Observation } from '../layers/observe.ts';

/** Signals of a layer as another program recorded them, `[T, N, neurons]`. */
interface RecordedLayer {
  /** 0 or 1. */
  readonly spikes?: ArrayLike<number>;
  readonly membranes?: ArrayLike<number>;
}

/** A comparison of two signals; of spikes the largest deviation is 0 or 1. */
interface Comparison {
  /** Numbers that were compared. */
  readonly count: number;
  readonly maxDeviation: number;
  /** The first time step with a larger deviation than is tolerated; absent where there is none. */
  readonly firstStep?: number;
}

interface LayerCertificate {
  readonly name: string;
  readonly spikes?: Comparison;
  readonly membranes?: Comparison;
}

/** A model beside what was recorded of it. */
export interface Certificate {
  /** Whether all spikes are equal and all membranes within the tolerance. */
  readonly isEqual: boolean;
  readonly tolerance: number;
  /** In the order of the network. */
  readonly layers: readonly LayerCertificate[];
}

/** Recorded signals that `certify` compares with, and the tolerance. */
export interface CertifyOptions {
  /** Signals of each layer, by its name; or what another model does with the same inputs. */
  readonly recorded: Readonly<Record<string, RecordedLayer>> | Observation;
  /** Largest deviation of a membrane; 1e-4 by default. */
  readonly tolerance?: number;
  /** Examples in `x`, as in `observe`. */
  readonly count?: number;
}

/**
 * Runs a model on inputs and compares spikes and membranes of its layers with recorded ones, step by step. Throws
 * EngineError `invalid-structure` for a layer that there is not, `shape-mismatch` for signals of another size.
 */
export async function certify(
  model: Pick<Model, 'observe'>,
  x: Inputs,
  { recorded, tolerance = 1e-4, count }: CertifyOptions,
): Promise<Certificate> {
  const observed = await model.observe(x, count === undefined ? {} : { count });
  const names = observed.layers.map(({ name }) => name);
  const signals = signalsOf(recorded);
  const compared = Object.keys(signals);
  const unknown = compared.find((name) => !names.includes(name));
  if (unknown !== undefined || compared.length === 0) {
    const what = unknown === undefined ? 'no layer is recorded' : `there is no layer ${unknown}`;
    throw new EngineError('invalid-structure', `certify: ${what}: expected ${names.join(', ')}`);
  }
  const layers = observed.layers
    .filter(({ name }) => signals[name])
    .map((layer) => certifyLayer(layer, signals[layer.name] ?? {}, observed.steps, tolerance));
  const all = layers.flatMap(({ spikes, membranes }) => [spikes, membranes]);
  return { isEqual: all.every((one) => one?.firstStep === undefined), tolerance, layers };
}

function signalsOf(recorded: CertifyOptions['recorded']): Readonly<Record<string, RecordedLayer>> {
  if (!isObservation(recorded)) return recorded;
  return Object.fromEntries(recorded.layers.map((layer) => [layer.name, layer]));
}

const isObservation = (recorded: CertifyOptions['recorded']): recorded is Observation =>
  Array.isArray(recorded.layers);

function certifyLayer(
  { name, ...observed }: LayerObservation,
  recorded: RecordedLayer,
  steps: number,
  tolerance: number,
): LayerCertificate {
  const compared = (['spikes', 'membranes'] as const).flatMap((signal) => {
    const wanted = recorded[signal];
    if (!wanted) return [];
    const own = observed[signal];
    if (own?.length === wanted.length) {
      const within = signal === 'spikes' ? 0 : tolerance;
      return [[signal, compare(own, wanted, { steps, within })] as const];
    }
    const has = own ? `${own.length} numbers` : 'none';
    throw new EngineError(
      'shape-mismatch',
      `certify: ${wanted.length} numbers are recorded as ${signal} of ${name}, which has ${has}`,
    );
  });
  if (compared.length > 0) return { name, ...Object.fromEntries(compared) };
  throw new EngineError(
    'shape-mismatch',
    `certify: nothing is recorded of ${name}: expected spikes or membranes`,
  );
}

function compare(
  own: ArrayLike<number>,
  recorded: ArrayLike<number>,
  { steps, within }: { readonly steps: number; readonly within: number },
): Comparison {
  const perStep = own.length / steps;
  let maxDeviation = 0;
  let first: number | undefined;
  for (let at = 0; at < own.length; at++) {
    const deviation = Math.abs((own[at] ?? 0) - (recorded[at] ?? 0));
    // True of NaN, too.
    if (!(deviation <= within)) first ??= Math.floor(at / perStep);
    if (deviation > maxDeviation || Number.isNaN(deviation)) maxDeviation = deviation;
  }
  return { count: own.length, maxDeviation, ...(first !== undefined && { firstStep: first }) };
}
