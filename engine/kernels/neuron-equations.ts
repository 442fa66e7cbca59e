import { carryStates } from '../kernel-language/carry-states.ts';
import { gradientOf, type GradientOperands } from '../kernel-language/gradient-body.ts';
import { type Definition, parseBody } from '../kernel-language/parse-body.ts';
import { equations, type Writing } from '../kernel-language/written-kernel.ts';
import { slopeOf } from './surrogates.ts';

/** A neuron: what a step does to its states, the membrane before its reset, and when it fires. */
interface Neuron {
  readonly step: string;
  readonly membrane: string;
  readonly spikes: string;
}

/** Membrane of an Izhikevich neuron at which it fires, mV. */
const PEAK = 30;

/** Steepness of the sigmoid of relaxed spikes: at the threshold as steep as the arctangent's surrogate. */
const RELAXED_SLOPE = 4;

const izhikevichRise = (v: string) =>
  `h * (0.04 * ${v} * ${v} + 5 * ${v} + 140 - w + drive * current)`;

/**
 * The neurons of layers. `current` is the input of the step; constants are attributes of the kernel, or
 * operands where each neuron has its own. Conditions have no gradient, and what is detached has none: the
 * resets.
 */
const neurons = {
  /** Reset by subtraction. `beta` may move while training: `decay`. */
  lif: {
    step: `
      state u = 0
      u = madd(beta, u, current) - detach(u > threshold ? threshold : 0)`,
    membrane: 'u',
    spikes: 'spike(u - threshold)',
  },
  lif_zero: {
    step: `
      state u = 0
      u = madd(u > threshold ? 0 : decay, u, current)`,
    membrane: 'u',
    spikes: 'spike(u - threshold)',
  },
  /** Beta and threshold are each neuron's own, and learned. */
  evo_lif: {
    step: `
      state u = 0
      u = madd(beta, u, current) - (u > threshold ? threshold : 0)`,
    membrane: 'u',
    spikes: 'spike(u - threshold)',
  },
  /** The threshold rises with each spike (Bellec et al. 2018). */
  alif: {
    step: `
      state u = 0
      state a = 0
      state s = 0
      u = madd(decay, u, current) - detach(s) * threshold
      a = madd(adaptationDecay, a, s)
      s = spike(u - threshold - adaptationGain * a)`,
    membrane: 'u',
    spikes: 's',
  },
  /** Izhikevich 2003: by Euler, or as published, the membrane in two half-steps and the recovery from the new one. */
  izhikevich: {
    step: `
      state v = start
      state w = b * start
      h = dt / substeps
      before = v >= ${PEAK} ? c : v
      w = v >= ${PEAK} ? w + d : w
      half = before + ${izhikevichRise('before')}
      v = substeps == 2 ? half + ${izhikevichRise('half')} : half
      w = w + dt * a * (b * (substeps == 2 ? v : before) - w)`,
    membrane: 'v',
    spikes: `fires(v >= ${PEAK}, (v - ${PEAK}) / span)`,
  },
  /** Spikes of any size between 0 and 1, for the beginning of training: `hardness` 1 makes it a LIF. */
  relaxed_lif: {
    step: `
      state u = 0
      state s = 0
      u = madd(beta, u, current - detach(s) * threshold)
      x = u - threshold
      soft = sigmoid(${RELAXED_SLOPE} * x)
      s = madd(hardness, spike(x) - soft, soft)`,
    membrane: 'u',
    spikes: 's',
  },
} as const satisfies Record<string, Neuron>;

type NeuronName = keyof typeof neurons;

const LAYER = {
  over: { step: 'steps', row: 'rows', column: 'width' },
  scan: 'step',
  held: { currentSteps: 'step' },
} as const;

const SHAPES = {
  current: 'f32[currentSteps, rows, width]',
  spikes: 'bits[steps, rows, width]',
  membrane: 'f32[steps, rows, width]',
} as const;

const OWN_SHAPES = { beta: 'f32[width]', threshold: 'f32[width]' } as const;
const MOVING_SHAPES = { decay: 'f32[1]' } as const;

const RELAXED_SHAPES = { hardness: 'f32[1]', spikes: 'f32[steps, rows, width]' } as const;

/** The neurons whose beta may move while training. */
const MAY_MOVE: ReadonlySet<Which> = new Set(['lif', 'relaxed_lif'] as const);

function shapesOf(name: NeuronName): Readonly<Record<string, string>> {
  if (name === 'evo_lif') return { ...SHAPES, ...OWN_SHAPES };
  if (name === 'lif') return { ...SHAPES, ...MOVING_SHAPES };
  return name === 'relaxed_lif' ? { ...SHAPES, ...MOVING_SHAPES, ...RELAXED_SHAPES } : SHAPES;
}

function definitionOf(
  name: NeuronName,
  output: 'spikes' | 'membrane',
  isMoving: boolean,
): Definition {
  const { step, ...outputs } = neurons[name];
  const text = `${step}\n${output} = ${outputs[output]}`;
  const shapes = shapesOf(name);
  return { ...LAYER, shapes, equations: isMoving ? text.replaceAll('beta', 'decay') : text };
}

/** The neuron of a kernel: a fixed one, or the one that the attribute `model` names. */
type Which = NeuronName | undefined;

function nameOf(which: Which, model: unknown): NeuronName {
  // The row lists the models that there are.
  return which ?? (model as NeuronName);
}

/** Spikes or membranes of a layer over all steps, from rest. */
export function layerOf(output: 'spikes' | 'membrane', which?: Which): Writing {
  return equations((choices) =>
    definitionOf(
      nameOf(which, choices['model']),
      output,
      MAY_MOVE.has(which) && choices['decay'] === true,
    ),
  );
}

/** The same over some of the steps, from the states that those before have left. */
export function carriedLayerOf(output: 'spikes' | 'membrane', which?: Which): Writing {
  const whole = layerOf(output, which);
  return (choices, row) =>
    carryStates(whole(choices, row), { before: 'firstStates', after: 'lastStates' });
}

/** The gradient of a layer; a current of one step has `shape` without the steps. */
export function layerGradient(
  operands: GradientOperands,
  {
    output = 'spikes',
    which,
    shape,
  }: { output?: 'spikes' | 'membrane'; which?: Which; shape?: string } = {},
): Writing {
  return (choices, row) => {
    const isMoving = MAY_MOVE.has(which) && choices['decay'] === true;
    const definition = definitionOf(nameOf(which, choices['model']), output, isMoving);
    const shapes =
      shape === undefined ? definition.shapes : { ...definition.shapes, current: shape };
    const whole = parseBody(row, { ...definition, shapes }, choices);
    const body =
      operands.carried === undefined ? whole : carryStates(whole, { before: 'firstStates' });
    const checkpoints = choices['checkpoints'] === true ? 'sqrt' : undefined;
    return gradientOf(body, { ...operands, checkpoints }, slopeOf(choices['surrogate']));
  };
}

/** The gradient of membranes: resets have none, and what is left is the leak. */
export function leakGradient(carried?: string): Writing {
  return (choices, row) => {
    const whole = parseBody(
      row,
      {
        ...LAYER,
        shapes: SHAPES,
        equations: `
          state u = 0
          u = madd(beta, u, current)
          membrane = u`,
      },
      choices,
    );
    const body = carried === undefined ? whole : carryStates(whole, { before: 'firstStates' });
    const operands = { given: { membrane: 'gradient' }, wanted: { current: 'currentGradient' } };
    return gradientOf(body, { ...operands, ...(carried !== undefined && { carried }) });
  };
}
