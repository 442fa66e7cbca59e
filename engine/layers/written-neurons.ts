import { parseNeuron } from '../neurons/equations.ts';
import type { Layer } from './layer.ts';
import { NEURON_OPTIONS, type NeuronOptions, writtenLayer } from './neurons.ts';
import { choiceOf, givenOptions, numberOf } from './options.ts';

interface Plif extends NeuronOptions {
  /** Fraction of the membrane kept per step that training begins with, between 0 and 1; 0.9 by default. */
  readonly beta?: number;
  readonly threshold?: number;
  /** One beta for each neuron, or one for the layer (default). */
  readonly per?: 'neuron' | 'layer';
}

/** Leaky integrate-and-fire neurons that learn their beta (Fang et al. 2021). Throws EngineError `invalid-setting`. */
export function plif(options: Plif = {}): Layer {
  const names = ['beta', 'threshold', 'per', ...NEURON_OPTIONS] as const;
  const beta = numberOf('plif', 'beta', options.beta ?? 0.9, { above: 0, below: 1 });
  const threshold = thresholdOf('plif', options);
  const per = choiceOf('plif', 'per', options.per ?? 'layer', ['neuron', 'layer']);
  return written(
    'plif',
    { given: givenOptions('plif', options, names), options, threshold },
    `
    state u = 0, s = 0
    learn beta = ${beta} in [0, 1] per ${per};  threshold = ${threshold}
    u = beta * u + I - detach(s) * threshold
    s = spike(u - threshold)`,
  );
}

interface Alif extends NeuronOptions {
  /** Fraction of the membrane kept per step; 0.95 by default. */
  readonly beta?: number;
  /** Of a neuron at rest; 1 by default. */
  readonly threshold?: number;
  /** Fraction of the adaptation kept per step; 0.995 by default. */
  readonly adaptationBeta?: number;
  /** By how much a spike raises the threshold; 0.07 by default. */
  readonly adaptation?: number;
}

/**
 * Leaky integrate-and-fire neurons whose threshold rises with every spike and relaxes (Bellec et al. 2018).
 * Throws EngineError `invalid-setting`.
 */
export function alif(options: Alif = {}): Layer {
  const names = ['beta', 'threshold', 'adaptationBeta', 'adaptation', ...NEURON_OPTIONS] as const;
  const share = { from: 0, to: 1 };
  const beta = numberOf('alif', 'beta', options.beta ?? 0.95, share);
  const rho = numberOf('alif', 'adaptationBeta', options.adaptationBeta ?? 0.995, share);
  const threshold = thresholdOf('alif', options);
  const rise = numberOf('alif', 'adaptation', options.adaptation ?? 0.07);
  return written(
    'alif',
    { given: givenOptions('alif', options, names), options },
    `
    state v = 0, a = 0, s = 0
    beta = ${beta};  rho = ${rho};  threshold = ${threshold};  rise = ${rise}
    v = beta * v + I - detach(s) * threshold
    a = rho * a + s
    s = spike(v - threshold - rise * a)`,
  );
}

interface Adlif extends NeuronOptions {
  readonly threshold?: number;
}

/**
 * Adaptive neurons by symplectic Euler, with time constants and adaptation that each neuron learns (Baronig et
 * al. 2025). Throws EngineError `invalid-setting`.
 */
export function adlif(options: Adlif = {}): Layer {
  const names = ['threshold', ...NEURON_OPTIONS] as const;
  const threshold = thresholdOf('adlif', options);
  return written(
    'adlif',
    { given: givenOptions('adlif', options, names), options, threshold },
    `
    state u = 0, w = 0
    learn tau_u = 15 in [5, 25] per neuron;  learn tau_w = 180 in [60, 300] per neuron
    learn a = 0.5 in [0, 1] per neuron;  learn b = 1 in [0, 2] per neuron
    q = 60;  threshold = ${threshold}
    alpha = exp(-dt / tau_u)
    rho = exp(-dt / tau_w)
    u = alpha * u + (1 - alpha) * (I - w)
    s = spike(u - threshold)
    u = s > 0 ? 0 : u
    w = rho * w + (1 - rho) * q * (a * u + b * s)`,
  );
}

interface CurrentLif extends NeuronOptions {
  /** Fraction of the synaptic current kept per step; 0.8 by default. */
  readonly alpha?: number;
  /** Fraction of the membrane kept per step; 0.9 by default. */
  readonly beta?: number;
  readonly threshold?: number;
}

/** Leaky integrate-and-fire neurons behind current-based synapses (snnTorch's Synaptic). Throws EngineError `invalid-setting`. */
export function currentLif(options: CurrentLif = {}): Layer {
  const names = ['alpha', 'beta', 'threshold', ...NEURON_OPTIONS] as const;
  const share = { from: 0, to: 1 };
  const alpha = numberOf('currentLif', 'alpha', options.alpha ?? 0.8, share);
  const beta = numberOf('currentLif', 'beta', options.beta ?? 0.9, share);
  const threshold = thresholdOf('currentLif', options);
  return written(
    'currentLif',
    { given: givenOptions('currentLif', options, names), options, threshold },
    `
    state i = 0, u = 0, s = 0
    alpha = ${alpha};  beta = ${beta};  threshold = ${threshold}
    i = alpha * i + I
    u = beta * u + i - detach(s) * threshold
    s = spike(u - threshold)`,
  );
}

function thresholdOf(kind: string, { threshold = 1 }: { readonly threshold?: number }): number {
  return numberOf(kind, 'threshold', threshold, { above: 0 });
}

interface Text {
  readonly given: Readonly<Record<string, unknown>>;
  readonly options: NeuronOptions;
  /** Where it is the same in every step. */
  readonly threshold?: number;
}

function written(kind: string, { given, options, threshold }: Text, text: string): Layer {
  const all = { given, written: parseNeuron(text), options };
  return writtenLayer(kind, threshold === undefined ? all : { ...all, threshold });
}
