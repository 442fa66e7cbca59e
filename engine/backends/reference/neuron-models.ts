import type { LayerModel, LayerModelName } from '../../kernels/kernels.ts';

/**
 * Two numbers a neuron carries from step to step: the membrane as it was before its reset, and what the
 * model keeps beside it. Gradients of a state have the same places.
 */
type State = readonly [membrane: number, second: number];

/** The vector-Jacobian product of a step: gradients of what it started from. Resets are constants to it. */
interface StepGradients {
  readonly state: State;
  readonly current: number;
  /** Of the spike of the step before, where it has an effect other than the reset. */
  readonly spike: number;
  /** Of the neuron's own beta and threshold, where it has them. */
  readonly own: State;
}

/** A neuron model: everything that tells one from another. docs/design/neurons.md has the equations. */
export interface Neuron {
  readonly initial: State;
  /** Argument of the surrogate: how far a state is above the threshold. */
  excess(state: State): number;
  fires(state: State): boolean;
  /** The next state: the reset of a neuron that fired, then the step itself. */
  advance(before: State, current: number): State;
  vjp(before: State, current: number, gradient: State): StepGradients;
  /** Derivatives of the excess by the state, and by the neuron's own beta and threshold. */
  readonly excessByState: State;
  readonly excessByOwn: State;
}

type Models = {
  readonly [P in LayerModelName]: (constants: Extract<LayerModel, { model: P }>) => Neuron;
};

const NOTHING: State = [0, 0];

/** Leaky integrate-and-fire with reset by subtraction, beta and threshold the neuron's own. */
export function evoLif(beta: number, threshold: number): Neuron {
  const fires = ([u]: State) => u > threshold;
  return {
    initial: NOTHING,
    excess: ([u]) => u - threshold,
    fires,
    advance: (before, current) => [beta * before[0] + current - (fires(before) ? threshold : 0), 0],
    vjp: (before, _current, [u]) => ({
      state: [beta * u, 0],
      current: u,
      spike: 0,
      own: [u * before[0], fires(before) ? -u : 0],
    }),
    excessByState: [1, 0],
    excessByOwn: [0, -1],
  };
}

const models: Models = {
  lif_zero({ decay, threshold }) {
    const fires = ([u]: State) => u > threshold;
    const kept = (before: State) => (fires(before) ? 0 : decay);
    return {
      initial: NOTHING,
      excess: ([u]) => u - threshold,
      fires,
      advance: (before, current) => [kept(before) * before[0] + current, 0],
      vjp: (before, _current, [u]) => ({
        state: [kept(before) * u, 0],
        current: u,
        spike: 0,
        own: NOTHING,
      }),
      excessByState: [1, 0],
      excessByOwn: NOTHING,
    };
  },

  alif({ decay, threshold, adaptationDecay, adaptationGain }) {
    const excess = ([v, a]: State) => v - threshold - adaptationGain * a;
    const fires = (state: State) => excess(state) > 0;
    return {
      initial: NOTHING,
      excess,
      fires,
      advance: (before, current) => {
        const fired = fires(before);
        const v = decay * before[0] + current - (fired ? threshold : 0);
        return [v, adaptationDecay * before[1] + (fired ? 1 : 0)];
      },
      vjp: (_before, _current, [v, a]) => ({
        state: [decay * v, adaptationDecay * a],
        current: v,
        spike: a,
        own: NOTHING,
      }),
      excessByState: [1, -adaptationGain],
      excessByOwn: NOTHING,
    };
  },

  izhikevich({ a, b, c, d, start, dt, substeps, span, drive }) {
    const PEAK = 30;
    const h = dt / substeps;
    const isPublished = substeps === 2;
    const fires = ([v]: State) => v >= PEAK;
    const reset = (before: State): State => (fires(before) ? [c, before[1] + d] : before);
    const rise = (v: number, u: number, current: number) =>
      v + h * (0.04 * v * v + 5 * v + 140 - u + drive * current);
    const riseByV = (v: number) => 1 + h * (0.08 * v + 5);
    return {
      initial: [start, b * start],
      excess: ([v]) => (v - PEAK) / span,
      fires,
      advance: (before, current) => {
        const [v, u] = reset(before);
        const half = rise(v, u, current);
        const next = isPublished ? rise(half, u, current) : half;
        return [next, u + dt * a * (b * (isPublished ? next : v) - u)];
      },
      vjp: (before, current, [v, u]) => {
        const [from, recovery] = reset(before);
        const byRecovery = dt * a * b * u;
        const byNext = isPublished ? v + byRecovery : 0;
        const byHalf = isPublished ? byNext * riseByV(rise(from, recovery, current)) : v;
        const byDrive = h * (byHalf + byNext);
        const byFrom = byHalf * riseByV(from) + (isPublished ? 0 : byRecovery);
        return {
          state: [fires(before) ? 0 : byFrom, (1 - dt * a) * u - byDrive],
          current: drive * byDrive,
          spike: 0,
          own: NOTHING,
        };
      },
      excessByState: [1 / span, 0],
      excessByOwn: NOTHING,
    };
  },
};

/** The neuron that a layer's constants describe. */
export function neuronOf(constants: LayerModel): Neuron {
  // The model found under a name takes the constants of that name; TypeScript loses the correlation.
  const make = models[constants.model] as (constants: LayerModel) => Neuron;
  return make(constants);
}
