import type { Surrogate } from '../../kernels/neurons.ts';
import { EngineError } from '../../errors.ts';
import type { ParameterSpec } from '../../graph/parameters.ts';
import { expectNonNegative, expectCount, expectPositive } from '../../checks.ts';

/**
 * A recurrent layer of (adaptive) leaky integrate-and-fire neurons with leaky readout neurons, trained by
 * e-prop (Bellec et al. 2020). Times in milliseconds.
 */
export interface EpropStructure {
  readonly inputs: number;
  readonly neurons: number;
  readonly outputs: number;
  /** Time steps of a sequence. */
  readonly steps: number;
  /** Sequences at a time. */
  readonly batch: number;
  readonly dt: number;
  readonly tauMembrane: number;
  readonly tauReadout: number;
  readonly threshold: number;
  readonly surrogate: Surrogate;
  /** Adaptive thresholds; plain LIF by default. */
  readonly adaptation?: { readonly tau: number; readonly gain: number };
  /** Feedback of errors: by the output weights, or by fixed random weights. */
  readonly feedback: 'symmetric' | 'random';
}

/** Throws EngineError where a size or constant cannot be. */
export function checkEprop(structure: EpropStructure): void {
  for (const name of ['inputs', 'neurons', 'outputs', 'steps', 'batch'] as const) {
    expectCount('eprop', name, structure[name]);
  }
  for (const name of ['dt', 'tauMembrane', 'tauReadout', 'threshold'] as const) {
    expectPositive('eprop', name, structure[name]);
  }
  const { adaptation, feedback } = structure;
  if (adaptation) {
    expectPositive('eprop', 'adaptation.tau', adaptation.tau);
    expectNonNegative('eprop', 'adaptation.gain', adaptation.gain);
  }
  if (feedback === 'symmetric' || feedback === 'random') return;
  throw new EngineError(
    'invalid-setting',
    `eprop: feedback is ${String(feedback)}, expected symmetric or random`,
  );
}

/** `input [inputs, neurons]`, `recurrent [neurons, neurons]`, `output [neurons, outputs]`. */
export function epropParameters({ inputs, neurons, outputs }: EpropStructure): ParameterSpec[] {
  return [
    matrix('input', inputs, neurons),
    matrix('recurrent', neurons, neurons),
    matrix('output', neurons, outputs),
  ];
}

function matrix(name: string, rows: number, columns: number): ParameterSpec {
  const initial = { kind: 'normal', deviation: 1 / Math.sqrt(rows) } as const;
  return { name, shape: [rows, columns], initial, decayed: true };
}
