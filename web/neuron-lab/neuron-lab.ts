import { keyOf, philox, uniformFrom } from '../../engine/index.ts';
import { createCurvesBuffer } from '../widgets/buffers/curves-buffer.ts';
import { createLatest } from '../workers/latest.ts';
import { fixedPoints, nullclines } from './izhikevich-plane.ts';
import type { NeuronRequest, NeuronRun, NeuronRunner } from './protocol.ts';
import { currentOf, type Stimulus } from './stimulus.ts';
import { createStore } from 'zustand/vanilla';

/** A neuron as it is set on the screen, and what it is looked at with. */
export interface Exploration extends Omit<NeuronRequest, 'currents'> {
  readonly runner: NeuronRunner;
  readonly stimulus: Stimulus;
  /** ms */
  readonly duration: number;
  /** The highest current of the f-I curve. */
  readonly highestCurrent: number;
  /** Potentials are drawn up to here: the peak of a model that has one. */
  readonly peak: number;
  /** States drawn beside the membrane potential, by their place in the model. */
  readonly others: readonly number[];
  /** The parameters a and b where the model is Izhikevich's. */
  readonly plane: { readonly a: number; readonly b: number } | null;
}

type Values = Float64Array<ArrayBuffer>;

/** Recorded run of one neuron, times in ms. */
interface Trace extends NeuronRun {
  readonly time: Values;
  readonly current: Values;
  readonly spikeTimes: Values;
}

/** Currents of the f-I curve. */
const RATE_POINTS = 41;

/**
 * The page's side of the Neuron lab: asks whenever a slider moves and puts what is answered into the
 * buffers that the plots draw from. React has no part in it.
 */
export function createNeuronLab() {
  const membrane = createCurvesBuffer();
  const others = createCurvesBuffer();
  const current = createCurvesBuffer();
  const plane = createCurvesBuffer();
  const rates = createCurvesBuffer();
  const failure = createStore<{ readonly message: string | null }>(() => ({ message: null }));
  let spikes: Values | undefined;

  const failed = (error: unknown) =>
    failure.setState({ message: error instanceof Error ? error.message : String(error) });

  const trace = createLatest(traceOf, {
    answered(answer, ask) {
      spikes = answer.spikeTimes;
      failure.setState({ message: null });
      const v = answer.states[0]?.map((u) => Math.min(u, ask.peak)) ?? unknown(answer.time);
      membrane.replace([
        { x: answer.time, y: v },
        { x: answer.spikeTimes, y: answer.spikeTimes },
      ]);
      others.replace(
        ask.others.map((index) => ({
          x: answer.time,
          y: answer.states[index] ?? unknown(answer.time),
        })),
      );
      current.replace([{ x: answer.time, y: answer.current }]);
      plane.replace(planeCurves(ask, v, answer));
    },
    failed,
  });
  const curve = createLatest(ratesOf, { answered: (answer) => rates.replace([answer]), failed });

  return {
    buffers: { membrane, others, current, plane, rates },
    failure,
    /** When the neuron fired last, ms; undefined before it was first computed. */
    get spikes() {
      return spikes;
    },
    explore(ask: Exploration) {
      trace(ask);
      curve(ask);
    },
  };
}

export type NeuronLab = ReturnType<typeof createNeuronLab>;

async function traceOf(ask: Exploration): Promise<Trace> {
  const { runner, stimulus, duration, model, equations, parameters, dt } = ask;
  const steps = Math.round(duration / dt);
  const currents = currentOf(stimulus, { dt, steps }, normals(stimulus.seed));
  const run = await runner.run({ model, equations, parameters, dt, currents });
  return {
    ...run,
    current: currents,
    time: Float64Array.from({ length: steps }, (_, step) => step * dt),
    spikeTimes: Float64Array.from(run.spikes, (step) => step * dt),
  };
}

async function ratesOf(ask: Exploration) {
  const { runner, highestCurrent, model, equations, parameters, dt } = ask;
  const currents = Float64Array.from(
    { length: RATE_POINTS },
    (_, i) => (highestCurrent * i) / (RATE_POINTS - 1),
  );
  return { x: currents, y: await runner.rates({ model, equations, parameters, dt, currents }) };
}

/** A state that a runner does not report. */
const unknown = (time: Values): Values => time.map(() => Number.NaN);

/** How far the nullclines go to the left of rest, mV. */
const LEFT = -90;

/** The trajectory, the two nullclines, and where they meet. */
function planeCurves({ stimulus, plane, peak }: Exploration, v: Values, { states }: Trace) {
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

/** Standard normal numbers of a seed, in order: Philox through the transform of Box and Muller. */
function normals(seed: number): () => number {
  let drawn = 0;
  return () => {
    const [first = 0, second = 0] = philox([drawn++, 0, 0, 0], keyOf(seed));
    const radius = Math.sqrt(-2 * Math.log(1 - uniformFrom(first)));
    return radius * Math.cos(2 * Math.PI * uniformFrom(second));
  };
}
