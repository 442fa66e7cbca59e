import type { SpikeReset } from '../kernels/neurons.ts';
import { EngineError } from '../errors.ts';
import { NEURON_PARAMETERS } from '../ops/integrate-fire.ts';
import type { NirPrimitive, NirTensor, Shape } from './graph.ts';
import { sizeOf, spread } from './shapes.ts';

/** Reset of spikes, which NIR leaves open; see `SpikeReset`. */
export const RESET_RULES = [
  'value',
  'subtract',
  'delayed',
] as const satisfies readonly SpikeReset[];
/**
 * Reset of a neuron that spikes, which NIR leaves open: the membrane takes the reset `value`, or the threshold is
 * `subtract`ed at once, or in the next step after the leak (`delayed`, as snnTorch does).
 */
export type ResetRule = (typeof RESET_RULES)[number];

/** Discretisation of continuous time. */
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

/** Tolerance for a step that exceeds the time constant by rounding. */
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
  discretisation: Discretisation,
): NeuronStage[] {
  const site = siteOf(`${name} (${node.type})`, shape, discretisation);
  switch (node.type) {
    case 'Scale':
      return [stage({ decay: site.each(0), gain: site.of('scale', node.scale) })];
    case 'Threshold':
      return [thresholdStage(node, site)];
    case 'I':
      return [stage(integrating(node, site))];
    case 'IF':
      return [stage({ ...integrating(node, site), ...firingOf(node, site) }, site.reset)];
    case 'LI':
      return [stage(leaking(node, site), 'none', site.of('v_leak', node.v_leak))];
    case 'LIF': {
      const lines = { ...leaking(node, site), ...firingOf(node, site) };
      return [stage(lines, site.reset, site.of('v_leak', node.v_leak))];
    }
    default:
      return synapticStages(node, site);
  }
}

/** Where the tensors of one node are spread over its neurons. */
interface Site {
  readonly reset: ResetRule;
  of(field: string, tensor: NirTensor): Float64Array;
  each(value: number): Float64Array;
  /** dt / tau. */
  stepFraction(field: string, tau: NirTensor): Float64Array;
}

function siteOf(where: string, shape: Shape, { dt, reset }: Discretisation): Site {
  const of = (field: string, tensor: NirTensor) => spread(`${where}: ${field}`, tensor, shape);
  return {
    reset,
    of,
    each: (value) => new Float64Array(sizeOf(shape)).fill(value),
    stepFraction: (field, tau) => stepFractions(`${where}: ${field}`, of(field, tau), dt),
  };
}

type Lines = Partial<Record<(typeof NEURON_PARAMETERS)[number], Float64Array>>;

function stage(lines: Lines, reset: SpikeReset = 'none', start?: Float64Array): NeuronStage {
  const width = lines.decay?.length ?? 0;
  const parameters = new Float32Array(NEURON_PARAMETERS.length * width);
  for (const [line, name] of NEURON_PARAMETERS.entries()) {
    parameters.set(lines[name] ?? [], line * width);
  }
  return {
    parameters,
    reset,
    start: start ? Float32Array.from(start) : new Float32Array(width),
  };
}

function thresholdStage({ threshold }: NirPrimitive<'Threshold'>, { of, each }: Site): NeuronStage {
  const lines = { decay: each(0), gain: each(1), threshold: of('threshold', threshold) };
  return stage({ ...lines, reset: each(0) }, 'value');
}

function integrating({ r }: NirPrimitive<'I' | 'IF'>, { of, each }: Site): Lines {
  return { decay: each(1), gain: of('r', r) };
}

function leaking(
  { tau, r, v_leak }: NirPrimitive<'LI' | 'LIF'>,
  { stepFraction, of }: Site,
): Lines {
  return membrane(stepFraction('tau', tau), of('r', r), of('v_leak', v_leak));
}

function synapticStages(node: NirPrimitive<'CubaLI' | 'CubaLIF'>, site: Site): NeuronStage[] {
  const { of, each, stepFraction, reset } = site;
  const weight = node.w_in ? of('w_in', node.w_in) : each(1);
  const rest = of('v_leak', node.v_leak);
  const lines = membrane(stepFraction('tau_mem', node.tau_mem), of('r', node.r), rest);
  const fires = node.type === 'CubaLIF';
  return [
    stage(membrane(stepFraction('tau_syn', node.tau_syn), weight, each(0))),
    fires ? stage({ ...lines, ...firingOf(node, site) }, reset, rest) : stage(lines, 'none', rest),
  ];
}

function membrane(stepFraction: Float64Array, r: Float64Array, rest: Float64Array): Lines {
  return {
    decay: stepFraction.map((part) => 1 - part),
    gain: stepFraction.map((part, i) => part * (r[i] ?? 0)),
    drift: stepFraction.map((part, i) => part * (rest[i] ?? 0)),
  };
}

function firingOf(
  { v_threshold, v_reset }: NirPrimitive<'IF' | 'LIF' | 'CubaLIF'>,
  { of, each, reset }: Site,
): Lines {
  const threshold = of('v_threshold', v_threshold);
  const value = v_reset ? of('v_reset', v_reset) : each(0);
  if (reset === 'value') return { threshold, reset: value };
  return { threshold, reset: threshold.map((theta, i) => theta - (value[i] ?? 0)) };
}

function stepFractions(where: string, tau: Float64Array, dt: number): Float64Array {
  return tau.map((value, i) => {
    if (!(value > 0)) refuse(`${where} is ${shorten(value)} at neuron ${i}: expected more than 0`);
    if (dt <= value * ROUNDING) return dt / value;
    refuse(
      `${where} is ${shorten(value)} at neuron ${i}, shorter than a step of ${dt}: ` +
        `expected dt in the unit of the file, and at most every time constant`,
    );
  });
}

/** As many digits as float32 has. */
function shorten(value: number): number {
  return Number(value.toPrecision(7));
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `NIR: ${message}`);
}
