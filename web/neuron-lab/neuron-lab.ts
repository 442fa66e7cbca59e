import { createStore } from 'zustand/vanilla';
import { createCurvesBuffer } from '../widgets/buffers/curves-buffer.ts';
import type { Caller } from '../workers/calls.ts';
import { createLatest } from '../workers/latest.ts';
import { fixedPoints, nullclines } from './izhikevich-plane.ts';
import type { NeuronCalls, Trace, TraceRequest } from './protocol.ts';

/** A neuron as it is set on the screen, and what it is looked at with. */
export interface Exploration extends TraceRequest {
  /** The highest current of the f-I curve. */
  readonly highestCurrent: number;
  /** Potentials are drawn up to here: the peak of a model that has one. */
  readonly peak: number;
  /** States drawn beside the membrane potential, by their place in the model. */
  readonly others: readonly number[];
  /** The parameters a and b where the model is Izhikevich's. */
  readonly plane: { readonly a: number; readonly b: number } | null;
}

/**
 * The page's side of the Neuron lab: asks the worker whenever a slider moves and puts what it answers
 * into the buffers that the plots draw from. React has no part in it.
 */
export function createNeuronLab(caller: Caller<NeuronCalls>) {
  const membrane = createCurvesBuffer();
  const others = createCurvesBuffer();
  const current = createCurvesBuffer();
  const plane = createCurvesBuffer();
  const rates = createCurvesBuffer();
  const failure = createStore<{ readonly message: string | null }>(() => ({ message: null }));
  let latest: Trace | undefined;

  const failed = (error: unknown) =>
    failure.setState({ message: error instanceof Error ? error.message : String(error) });

  const trace = createLatest((ask: Exploration) => caller.ask('trace', requestOf(ask)), {
    answered(answer, ask) {
      latest = answer;
      failure.setState({ message: null });
      const v = (answer.states[0] ?? new Float64Array()).map((u) => Math.min(u, ask.peak));
      membrane.replace([
        { x: answer.time, y: v },
        { x: answer.spikes, y: answer.spikes },
      ]);
      others.replace(
        ask.others.map((index) => ({ x: answer.time, y: answer.states[index] ?? answer.time })),
      );
      current.replace([{ x: answer.time, y: answer.current }]);
      plane.replace(ask.plane ? planeCurves(ask, v, answer) : []);
    },
    failed,
  });
  const curve = createLatest((ask: Exploration) => caller.ask('rates', rateRequestOf(ask)), {
    answered: (answer) => rates.replace([{ x: answer.currents, y: answer.rates }]),
    failed,
  });

  return {
    buffers: { membrane, others, current, plane, rates },
    failure,
    /** What the neuron did last. */
    get latest() {
      return latest;
    },
    explore(ask: Exploration) {
      trace(ask);
      curve(ask);
    },
    close: () => caller.close(),
  };
}

export type NeuronLab = ReturnType<typeof createNeuronLab>;

function requestOf({ model, parameters, dt, stimulus, duration }: Exploration): TraceRequest {
  return { model, parameters, dt, stimulus, duration };
}

const rateRequestOf = ({ model, parameters, dt, highestCurrent }: Exploration) => ({
  model,
  parameters,
  dt,
  highest: highestCurrent,
});

/** How far the nullclines go to the left of rest. */
const LEFT = -90;

/** The trajectory, the two nullclines, and where they meet. */
function planeCurves({ stimulus, plane, peak }: Exploration, v: Float64Array, { states }: Trace) {
  if (!plane) return [];
  const at = { b: plane.b, current: stimulus.amplitude };
  const lines = nullclines(at, [LEFT, peak]);
  const points = fixedPoints(at, plane.a);
  return [
    { x: v, y: states[1] ?? v },
    lines.v,
    lines.u,
    { x: points.map((point) => point.v), y: points.map(({ u }) => u) },
  ];
}
