import { createTraceBuffer } from '../../widgets/buffers/trace-buffer.ts';

/** Input of the neuron; one step is a millisecond. */
export interface NeuronDrive {
  /** Added to the membrane potential in each step, in units of the threshold. */
  readonly current: number;
  /** Time constant of the leak, ms. */
  readonly tau: number;
}

export const THRESHOLD = 1;

/** Steps across the drawing. */
export const SHOWN_STEPS = 240;

/**
 * One leaky integrate-and-fire neuron and the record of its newest steps:
 *
 *   u[t] = beta * u[t-1] + I - s[t-1] * threshold,   s[t] = 1 if u[t] > threshold else 0,   u[-1] = 0
 *   beta = exp(-1 ms / tau)
 */
export function createOneNeuron() {
  const trace = createTraceBuffer(1, 2 * SHOWN_STEPS);
  let potential = 0;
  let fired = 0;

  return {
    trace,
    advance(steps: number, { current, tau }: NeuronDrive) {
      const beta = Math.exp(-1 / tau);
      for (let step = 0; step < steps; step++) {
        potential = beta * potential + current - fired * THRESHOLD;
        fired = potential > THRESHOLD ? 1 : 0;
        trace.push([potential], [fired]);
      }
    },
  };
}

type OneNeuron = ReturnType<typeof createOneNeuron>;

/** Real time per simulated millisecond: slow enough to see each spike. */
const STEP_EVERY_MS = 8;

/** At most this many steps are caught up on after a pause of the page. */
const MAX_STEPS_PER_FRAME = 60;

/** Lets the neuron run, frame by frame, until the returned function is called. */
export function runNeuron(neuron: OneNeuron, drive: NeuronDrive): () => void {
  let frame = 0;
  let before = performance.now();
  function tick(now: number) {
    const due = Math.floor((now - before) / STEP_EVERY_MS);
    before += due * STEP_EVERY_MS;
    if (due > 0) neuron.advance(Math.min(due, MAX_STEPS_PER_FRAME), drive);
    frame = requestAnimationFrame(tick);
  }
  frame = requestAnimationFrame(tick);
  return () => cancelAnimationFrame(frame);
}
