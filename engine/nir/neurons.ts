import { EngineError } from '../errors.ts';
import type { SpikeReset } from '../graph/nir-kernels.ts';
import { NEURON_PARAMETERS } from '../ops/integrate-fire.ts';
import type { NirPrimitive, NirTensor } from './graph.ts';
import { type Shape, sizeOf, spread } from './shapes.ts';

/** What NIR leaves open about spikes; see `SpikeReset`. */
export const RESET_RULES = [
  'value',
  'subtract',
  'delayed',
] as const satisfies readonly SpikeReset[];
export type ResetRule = (typeof RESET_RULES)[number];

/** How continuous time becomes steps. */
export interface Discretisation {
  /** Length of a step, in the unit of the file's time constants and delays. */
  readonly dt: number;
  readonly reset: ResetRule;
}

/** One play of the kernel integrate_fire. */
export interface NeuronStage {
  /** `[5][width]`, the lines of NEURON_PARAMETERS. */
  readonly parameters: Float32Array;
  readonly reset: SpikeReset;
  /** Membranes before the first step, `[width]`. */
  readonly start: Float32Array;
}

export type Neuron = NirPrimitive<
  'Scale' | 'Threshold' | 'I' | 'IF' | 'LI' | 'LIF' | 'CubaLI' | 'CubaLIF'
>;

/** How far the step may be beyond the time constant by rounding alone. */
const ROUNDING = 1 + 1e-6;

/**
 * The stages of a node by forward Euler, with tau dv/dt = v_leak - v + r x:
 *
 *   v[t] = (1 - dt / tau) v[t-1] + (dt / tau) (v_leak + r x[t])
 *
 * An integrator without leak adds r x[t]. A scale and a threshold are neurons without memory. Neurons
 * with a synapse are two stages, of which the second reads what the first gives in the same step.
 */
export function stagesOf(
  name: string,
  node: Neuron,
  shape: Shape,
  { dt, reset }: Discretisation,
): NeuronStage[] {
  const where = `${name} (${node.type})`;
  const of = (field: string, tensor: NirTensor) => spread(`${where}: ${field}`, tensor, shape);
  const decaying = (field: string, tensor: NirTensor) =>
    leakOf(`${where}: ${field}`, of(field, tensor), dt);
  const each = (value: number) => new Float64Array(sizeOf(shape)).fill(value);
  const firing = 'v_threshold' in node && firingOf(node, of, each, reset);
  switch (node.type) {
    case 'Scale':
      return [stage({ decay: each(0), gain: of('scale', node.scale) })];
    case 'Threshold': {
      const threshold = of('threshold', node.threshold);
      return [stage({ decay: each(0), gain: each(1), threshold, reset: each(0) }, 'value')];
    }
    case 'I':
    case 'IF':
      return [stage({ decay: each(1), gain: of('r', node.r), ...firing }, firing && reset)];
    case 'LI':
    case 'LIF': {
      const leak = decaying('tau', node.tau);
      const membrane = membraneOf(leak, of('r', node.r), of('v_leak', node.v_leak));
      return [stage({ ...membrane, ...firing }, firing && reset, of('v_leak', node.v_leak))];
    }
    default: {
      const synapse = decaying('tau_syn', node.tau_syn);
      const weight = node.w_in ? of('w_in', node.w_in) : each(1);
      const rest = of('v_leak', node.v_leak);
      const membrane = membraneOf(decaying('tau_mem', node.tau_mem), of('r', node.r), rest);
      return [
        stage(membraneOf(synapse, weight, each(0))),
        stage({ ...membrane, ...firing }, firing && reset, rest),
      ];
    }
  }
}

type Lines = Partial<Record<(typeof NEURON_PARAMETERS)[number], Float64Array>>;

function stage(
  lines: Lines,
  reset: SpikeReset | false = 'none',
  start?: Float64Array,
): NeuronStage {
  const width = lines.decay?.length ?? 0;
  const parameters = new Float32Array(NEURON_PARAMETERS.length * width);
  for (const [line, name] of NEURON_PARAMETERS.entries()) {
    parameters.set(lines[name] ?? [], line * width);
  }
  return {
    parameters,
    reset: reset || 'none',
    start: start ? Float32Array.from(start) : new Float32Array(width),
  };
}

/** The shares of a step, dt / tau. */
function leakOf(where: string, tau: Float64Array, dt: number): Float64Array {
  return tau.map((value, i) => {
    if (!(value > 0)) refuse(`${where} is ${value} at neuron ${i}: expected more than 0`);
    if (dt <= value * ROUNDING) return dt / value;
    refuse(
      `${where} is ${value} at neuron ${i}, shorter than a step of ${dt}: ` +
        `expected dt in the unit of the file, and at most every time constant`,
    );
  });
}

function membraneOf(leak: Float64Array, r: Float64Array, rest: Float64Array): Lines {
  return {
    decay: leak.map((share) => 1 - share),
    gain: leak.map((share, i) => share * (r[i] ?? 0)),
    drift: leak.map((share, i) => share * (rest[i] ?? 0)),
  };
}

function firingOf(
  { v_threshold, v_reset }: NirPrimitive<'IF' | 'LIF' | 'CubaLIF'>,
  of: (field: string, tensor: NirTensor) => Float64Array,
  each: (value: number) => Float64Array,
  reset: ResetRule,
): Lines {
  const threshold = of('v_threshold', v_threshold);
  const value = v_reset ? of('v_reset', v_reset) : each(0);
  if (reset === 'value') return { threshold, reset: value };
  return { threshold, reset: threshold.map((theta, i) => theta - (value[i] ?? 0)) };
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `NIR: ${message}`);
}
