import { EngineError } from '../errors.ts';
import {
  constantCount,
  type NeuronModel,
  type NeuronParameter,
  type NeuronState,
} from '../kernels/neuron-model.ts';
import { izhikevichPresets } from './izhikevich-presets.ts';
import { neuronSteps } from './steps.ts';

/** A built-in model with its presentation, from which forms, help and plugins are made. */
interface CatalogueModel extends NeuronModel {
  readonly title: string;
  /** One equation a line. */
  readonly equations: readonly string[];
  readonly source: string;
  /** Parameters by the name of the preset; those left out have their initial value. */
  readonly presets: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

type CatalogueName = keyof typeof neuronSteps;

/** Largest refractory time in steps: float32 holds all integers up to here exactly. */
const MAX_STEPS = 2 ** 24;

const membrane = (symbol: string, unit: string, initial: number): NeuronState => ({
  name: 'v',
  symbol,
  unit,
  initial,
});

type Range = readonly [initial: number, minimum: number, maximum: number];

function parameter(
  name: string,
  [symbol, unit]: readonly [symbol: string, unit: string],
  [initial, minimum, maximum]: Range,
): NeuronParameter {
  return { name, symbol, unit, initial, minimum, maximum };
}

const tau = parameter('tau', ['τ', 'ms'], [20, 0.01, 1e6]);
const threshold = parameter('threshold', ['θ', ''], [1, -1000, 1e6]);
const refractory = parameter('refractory', ['τ_ref', 'ms'], [0, 0, 1e6]);
const rest: NeuronState = { name: 'rest', symbol: 'r', unit: '', initial: 0 };

function leakyConstants(
  [tauMs = 0, theta = 0, reset = 0, refractoryMs = 0]: readonly number[],
  dt: number,
): readonly number[] {
  return [Math.exp(-dt / tauMs), theta, reset, Math.min(Math.round(refractoryMs / dt), MAX_STEPS)];
}

const lif: CatalogueModel = {
  name: 'lif',
  title: 'Leaky integrate-and-fire, reset by subtraction',
  equations: [
    'u[t] = β u[t-1] + I[t] - s[t-1] θ,  β = exp(-dt / τ)',
    's[t] = 1 if u[t] > θ and the neuron is not refractory, else 0',
  ],
  source: 'snnTorch, Leaky (Eshraghian et al. 2023)',
  parameters: [tau, threshold, refractory],
  states: [membrane('u', '', 0), rest],
  constants: ([tauMs = 0, theta = 0, refractoryMs = 0], dt) =>
    leakyConstants([tauMs, theta, 0, refractoryMs], dt),
  presets: {},
  step: neuronSteps.lif,
};

const lifReset: CatalogueModel = {
  name: 'lif_reset',
  title: 'Leaky integrate-and-fire, reset to a value',
  equations: [
    'u[t] = β (s[t-1] ? u_r : u[t-1]) + I[t],  β = exp(-dt / τ)',
    's[t] = 1 if u[t] > θ and the neuron is not refractory, else 0',
  ],
  source: 'snnTorch, Leaky (Eshraghian et al. 2023); Brunel 2000 with u_r and τ_ref',
  parameters: [tau, threshold, parameter('reset', ['u_r', ''], [0, -1e6, 1e6]), refractory],
  states: [membrane('u', '', 0), rest],
  constants: leakyConstants,
  presets: { Brunel: { tau: 20, threshold: 20, reset: 10, refractory: 2 } },
  step: neuronSteps.lif_reset,
};

const lifInteger: CatalogueModel = {
  name: 'lif_integer',
  title: 'Leaky integrate-and-fire in 16-bit integers',
  equations: [
    'V = clamp_int16(floor(230 V / 256) + I)',
    's = 1 if V > θ, and V = 0 then; the same bits on every device',
  ],
  source: 'the parity path of this platform',
  parameters: [parameter('threshold', ['θ', ''], [1024, 1, 32_767])],
  states: [membrane('V', '', 0)],
  presets: {},
  step: neuronSteps.lif_integer,
};

const alif: CatalogueModel = {
  name: 'alif',
  title: 'Adaptive leaky integrate-and-fire',
  equations: [
    'v[t] = α v[t-1] + I[t] - s[t-1] θ0,  α = exp(-dt / τ)',
    'a[t] = ρ a[t-1] + s[t-1],  ρ = exp(-dt / τ_a)',
    's[t] = 1 if v[t] > θ0 + β_a a[t] else 0',
  ],
  source: 'Bellec et al. 2018, 2020',
  parameters: [
    tau,
    parameter('tau_adaptation', ['τ_a', 'ms'], [200, 0.01, 1e6]),
    threshold,
    parameter('beta', ['β_a', ''], [0.07, 0, 1e6]),
  ],
  states: [
    membrane('v', '', 0),
    { name: 'a', symbol: 'a', unit: '', initial: 0 },
    { name: 's', symbol: 's', unit: '', initial: 0 },
  ],
  constants: ([tauMs = 0, tauAdaptation = 0, theta = 0, beta = 0], dt) => [
    Math.exp(-dt / tauMs),
    Math.exp(-dt / tauAdaptation),
    theta,
    beta,
  ],
  presets: {},
  step: neuronSteps.alif,
};

const izhikevich: CatalogueModel = {
  name: 'izhikevich',
  title: 'Izhikevich, as published (two half-steps for v)',
  equations: [
    "v' = 0.04 v² + 5 v + 140 - u + I",
    "u' = a (b v - u)",
    'at v ≥ 30 mV: v = c, u = u + d, when the next step begins',
  ],
  source: 'Izhikevich 2003, IEEE Transactions on Neural Networks 14',
  parameters: [
    parameter('a', ['a', '1/ms'], [0.02, 0, 10]),
    parameter('b', ['b', ''], [0.2, -10, 10]),
    parameter('c', ['c', 'mV'], [-65, -200, 29]),
    parameter('d', ['d', 'mV'], [8, -1000, 1000]),
  ],
  states: [membrane('v', 'mV', -65), { name: 'u', symbol: 'u', unit: 'mV', initial: -13 }],
  presets: izhikevichPresets,
  step: neuronSteps.izhikevich,
};

const izhikevichEuler: CatalogueModel = {
  ...izhikevich,
  name: 'izhikevich_euler',
  title: "Izhikevich, by Euler's method",
  step: neuronSteps.izhikevich_euler,
};

const entangled: CatalogueModel = {
  name: 'entangled',
  title: 'Leaky integrate-and-fire with entangled phases',
  equations: [
    'φ += ω dt + K dt R sin(ψ - φ),  R exp(iψ) = mean of exp(iφ) over the population',
    'u[t] = β u[t-1] + I[t] (1 + κ cos(φ - ψ)) - s[t-1] θ,  s[t] = 1 if u[t] > θ else 0',
    'the natural frequency ω of each neuron is given as a first state',
  ],
  source: 'ours; Kuramoto 1975 for the phases: R rises above K = 2 / (π g(0))',
  parameters: [
    tau,
    threshold,
    parameter('coupling', ['K', '1/ms'], [0, 0, 100]),
    parameter('modulation', ['κ', ''], [0.5, -10, 10]),
  ],
  states: [
    membrane('u', '', 0),
    { name: 'phase', symbol: 'φ', unit: 'rad', initial: 0 },
    { name: 'omega', symbol: 'ω', unit: 'rad/ms', initial: 0 },
  ],
  constants: ([tauMs = 0, theta = 0, coupling = 0, modulation = 0], dt) => [
    Math.exp(-dt / tauMs),
    theta,
    coupling * dt,
    modulation,
  ],
  phase: 'phase',
  presets: {},
  step: neuronSteps.entangled,
};

/** Every neuron model of the simulator, by name. */
export const neuronCatalogue: Readonly<Record<CatalogueName, CatalogueModel>> = {
  lif,
  lif_reset: lifReset,
  lif_integer: lifInteger,
  alif,
  izhikevich,
  izhikevich_euler: izhikevichEuler,
  entangled,
};

/** Finds a model, first among `others`. Throws EngineError `invalid-setting` naming the known ones. */
export function neuronModel(name: string, others: readonly NeuronModel[] = []): NeuronModel {
  const own: Readonly<Record<string, NeuronModel>> = neuronCatalogue;
  const found =
    others.find((model) => model.name === name) ?? (Object.hasOwn(own, name) && own[name]);
  if (found) return found;
  const known = [...others.map((model) => model.name), ...Object.keys(neuronCatalogue)];
  throw new EngineError(
    'invalid-setting',
    `unknown neuron model "${name}": expected ${known.join(', ')}`,
  );
}

/** Identifiers that are valid in WGSL and in names of tensors. */
const NAME = /^[a-z][a-z0-9_]*$/i;

/** Validates a model that is not built in. Throws EngineError `invalid-setting` naming what is wrong. */
export function checkModel(model: NeuronModel): void {
  const { name, states, parameters, wgsl, written, step } = model;
  const refuse = (problem: string) => {
    throw new EngineError('invalid-setting', `neuron model "${name}" ${problem}`);
  };
  if (!NAME.test(name)) refuse('has no usable name: expected letters, digits and _');
  if (Object.hasOwn(neuronCatalogue, name)) refuse('has the name of a model of the catalogue');
  if (states.length === 0) refuse('has no states: expected at least one');
  if (constantCount(model) === 0) refuse('has no parameters: expected at least one');
  if (!written && !declaresStep(wgsl)) refuse('has no WGSL: expected one that declares fn step');
  if (typeof step !== 'function') refuse('has no step in TypeScript');
  const numbers = [...states, ...parameters];
  const unnamed = numbers.find((number) => !NAME.test(number.name));
  if (unnamed) refuse(`has a number named "${unnamed.name}": expected letters, digits and _`);
  const endless = numbers.find(({ initial }) => !Number.isFinite(initial));
  if (endless) refuse(`begins ${endless.name} with ${endless.initial}: expected a finite number`);
}

const declaresStep = (wgsl = '') => /\bfn\s+step\b/.test(wgsl);
