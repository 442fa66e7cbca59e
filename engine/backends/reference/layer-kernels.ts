import type { Attributes } from '../../kernels/kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { surrogates } from './neuron-kernels.ts';
import { evoLif, type Neuron, neuronOf, type State } from './neuron-models.ts';
import { at, type ReferenceKernels, setBit } from './views.ts';

type Layer = Attributes<'evo_lif_forward'>;
/** The current of a neuron at a step. */
type Current = (t: number) => number;

function currentOf(current: Float64Array, layer: Layer, i: number): Current {
  const neurons = layer.rows * layer.width;
  return (t) => at(current, (t % layer.currentSteps) * neurons + i);
}

/** Calls `visit` for the state of every neuron after each step, before its reset. */
function eachState(
  layer: Layer,
  neuronAt: (i: number) => Neuron,
  current: Float64Array,
  visit: (place: { t: number; i: number }, state: State, neuron: Neuron) => void,
): void {
  const { steps, rows, width } = layer;
  for (let i = 0; i < rows * width; i++) {
    const neuron = neuronAt(i);
    const drive = currentOf(current, layer, i);
    let state = neuron.initial;
    for (let t = 0; t < steps; t++) {
      state = neuron.advance(state, drive(t));
      visit({ t, i }, state, neuron);
    }
  }
}

function forward(
  layer: Layer,
  neuronAt: (i: number) => Neuron,
  { current, spikes }: { current: Float64Array; spikes: Uint32Array },
): void {
  const { rows, width } = layer;
  spikes.fill(0);
  eachState(layer, neuronAt, current, ({ t, i }, state, neuron) => {
    if (!neuron.fires(state)) return;
    setBit(spikes, wordsPerRow(width), t * rows + Math.floor(i / width), i % width);
  });
}

function membranes(
  layer: Layer,
  neuronAt: (i: number) => Neuron,
  { current, membrane }: { current: Float64Array; membrane: Float64Array },
): void {
  const neurons = layer.rows * layer.width;
  eachState(layer, neuronAt, current, ({ t, i }, [value]) => {
    membrane[t * neurons + i] = value;
  });
}

interface Sweep {
  readonly steps: number;
  readonly drive: Current;
  /** Gradient of the spike at a step. */
  readonly spike: (t: number) => number;
  readonly slope: (x: number) => number;
  /** Takes the gradient of the current at a step. */
  readonly give: (t: number, gradient: number) => void;
}

/** Carries the gradient of one neuron's spikes back; returns that of its own beta and threshold. */
function carryBack(neuron: Neuron, { steps, drive, spike, slope, give }: Sweep): State {
  const trail: State[] = [neuron.initial];
  for (let t = 0; t < steps; t++) trail.push(neuron.advance(trail[t] ?? neuron.initial, drive(t)));
  let carried: State = [0, 0];
  let bySpike = 0;
  let own: State = [0, 0];
  for (let t = steps - 1; t >= 0; t--) {
    const excess = (spike(t) + bySpike) * slope(neuron.excess(trail[t + 1] ?? neuron.initial));
    const gradient = plus(carried, neuron.excessByState, excess);
    const product = neuron.vjp(trail[t] ?? neuron.initial, drive(t), gradient);
    own = plus(plus(own, product.own, 1), neuron.excessByOwn, excess);
    give(t, product.current);
    carried = product.state;
    bySpike = product.spike;
  }
  return own;
}

function plus(a: State, b: State, factor: number): State {
  return [a[0] + factor * b[0], a[1] + factor * b[1]];
}

interface Gradients {
  readonly current: Float64Array;
  readonly gradient: Float64Array;
  readonly currentGradient: Float64Array;
}

function backward(
  layer: Attributes<'evo_lif_backward'>,
  neuronAt: (i: number) => Neuron,
  { current, gradient, currentGradient }: Gradients,
  own?: (i: number, gradient: State) => void,
): void {
  const neurons = layer.rows * layer.width;
  currentGradient.fill(0);
  for (let i = 0; i < neurons; i++) {
    const ofOwn = carryBack(neuronAt(i), {
      steps: layer.steps,
      drive: currentOf(current, layer, i),
      spike: (t) => at(gradient, t * neurons + i),
      slope: surrogates[layer.surrogate],
      give: (t, value) => {
        const to = (t % layer.currentSteps) * neurons + i;
        currentGradient[to] = at(currentGradient, to) + value;
      },
    });
    own?.(i, ofOwn);
  }
}

/** The neurons of rows that have a beta and a threshold for each column. */
function evoLifs(beta: Float64Array, threshold: Float64Array): (i: number) => Neuron {
  return (i) => evoLif(at(beta, i % beta.length), at(threshold, i % beta.length));
}

export const layerKernels = {
  neuron_membrane: ({ f }, attributes) => {
    const neuron = neuronOf(attributes);
    membranes(attributes, () => neuron, { current: f('current'), membrane: f('membrane') });
  },
  evo_lif_membrane: ({ f }, attributes) => {
    const neuronAt = evoLifs(f('beta'), f('threshold'));
    membranes(attributes, neuronAt, { current: f('current'), membrane: f('membrane') });
  },
  neuron_forward: ({ f, u }, attributes) => {
    const neuron = neuronOf(attributes);
    forward(attributes, () => neuron, { current: f('current'), spikes: u('spikes') });
  },
  neuron_backward: ({ f }, attributes) => {
    const neuron = neuronOf(attributes);
    backward(attributes, () => neuron, {
      current: f('current'),
      gradient: f('gradient'),
      currentGradient: f('currentGradient'),
    });
  },
  evo_lif_forward: ({ f, u }, attributes) => {
    const neuronAt = evoLifs(f('beta'), f('threshold'));
    forward(attributes, neuronAt, { current: f('current'), spikes: u('spikes') });
  },
  evo_lif_backward: ({ f }, attributes) => {
    const [betas, thresholds] = [f('betaGradient'), f('thresholdGradient')];
    const neuronAt = evoLifs(f('beta'), f('threshold'));
    const tensors = {
      current: f('current'),
      gradient: f('gradient'),
      currentGradient: f('currentGradient'),
    };
    backward(attributes, neuronAt, tensors, (i, [beta, threshold]) => {
      betas[i] = beta;
      thresholds[i] = threshold;
    });
  },
} satisfies Partial<ReferenceKernels>;
