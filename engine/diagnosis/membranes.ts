import type { Surrogate } from '../kernels/neurons.ts';
import type { Network } from '../layers/network.ts';
import type { MembraneReading } from './observations.ts';

/** Options of a layer of neurons, with their defaults. */
interface NeuronSettings {
  /** Undefined of neurons whose threshold is in their equations. */
  readonly threshold: number | undefined;
  /** Whether `observe` gives how far membranes are above the threshold, in place of membranes. */
  readonly isExcess: boolean;
  readonly surrogate: Surrogate;
  readonly width: number;
}

const EXCESS: ReadonlySet<unknown> = new Set(['neuron', 'alif']);
/** Fraction of neurons and steps that a threshold at `high` would have above it. */
const FIRING = 0.15;
/** Membranes that a quantile is read from at most. */
const MAX_SAMPLES = 1 << 16;

interface LayerRecord {
  readonly kind?: unknown;
  readonly name?: unknown;
  readonly threshold?: number;
  readonly surrogate?: Surrogate;
  readonly surrogateWidth?: number;
  readonly layers?: readonly LayerRecord[];
}

/** The records of all layers of a network's JSON by the names of their sites, those inside others too. */
export function layerRecords(layers: readonly unknown[], inside = ''): Map<string, LayerRecord> {
  const found = new Map<string, LayerRecord>();
  for (const [index, layer] of (layers as readonly LayerRecord[]).entries()) {
    const name = `${inside}${typeof layer.name === 'string' ? layer.name : index}`;
    // Weights and neurons may share a name: neurons are looked for.
    if (!found.has(name) || 'threshold' in layer || isNeuron(layer)) found.set(name, layer);
    for (const [own, one] of layerRecords(layer.layers ?? [], `${name}.`)) found.set(own, one);
  }
  return found;
}

const NEURONS: ReadonlySet<unknown> = new Set([
  'adlif',
  'alif',
  'currentLif',
  'lif',
  'neuron',
  'plif',
  'recurrentLif',
]);
const isNeuron = ({ kind }: LayerRecord) => NEURONS.has(kind);

/** Settings of the neurons of a layer by its name. */
export function neuronSettings(network: Network, name: string): NeuronSettings {
  const record = layerRecords(network.toJSON().layers).get(name) ?? {};
  const { kind, threshold = 1, surrogate = 'atan', surrogateWidth = 1 } = record;
  return {
    threshold: kind === 'neuron' ? undefined : threshold,
    isExcess: EXCESS.has(kind),
    surrogate,
    width: surrogateWidth,
  };
}

/** Reads how far membranes are from the threshold, and what slope the surrogate has there. */
export function readMembranes(membranes: Float32Array, settings: NeuronSettings): MembraneReading {
  const { threshold, isExcess, surrogate, width } = settings;
  const lift = isExcess ? 0 : (threshold ?? 0);
  const stride = Math.max(1, Math.floor(membranes.length / MAX_SAMPLES));
  const excess = Float32Array.from(
    { length: Math.floor(membranes.length / stride) },
    (_, i) => (membranes[i * stride] ?? 0) - lift,
  );
  const slopes = excess.reduce((sum, x) => sum + SLOPES[surrogate](x / width), 0);
  const distance = quantile(excess.map(Math.abs), 0.5);
  return {
    threshold,
    distance,
    high: quantile(excess, 1 - FIRING) + (threshold ?? 0),
    width,
    slope: slopes / excess.length,
    fittingWidth: WIDTHS[surrogate] * distance,
  };
}

/** Widths of each surrogate with which it has about half its slope at the distance 1. */
const WIDTHS: Readonly<Record<Surrogate, number>> = {
  atan: 3,
  fast_sigmoid: 50,
  sigmoid: 14,
  triangle: 2,
};

/** Slopes of the surrogates as fractions of those at the threshold: `SLOPES` of the kernels, in float64. */
const SLOPES: Readonly<Record<Surrogate, (x: number) => number>> = {
  atan: (x) => 1 / (1 + (Math.PI * x) ** 2),
  fast_sigmoid: (x) => 1 / (1 + 25 * Math.abs(x)) ** 2,
  sigmoid: (x) => 1 / Math.cosh(12.5 * x) ** 2,
  triangle: (x) => Math.max(0, 1 - Math.abs(x)),
};

function quantile(values: Float32Array, share: number): number {
  const sorted = values.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
