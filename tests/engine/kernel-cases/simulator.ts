import { NOISE_DEVIATION } from '../../../engine/kernels/simulator.ts';
import type { NeuronModel } from '../../../engine/kernels/neuron-model.ts';
import { constantCount } from '../../../engine/kernels/neuron-model.ts';
import { neuronCatalogue } from '../../../engine/neurons/catalogue.ts';
import { quadraticModel } from '../quadratic-model.ts';
import type { Source } from '../random.ts';
import { bits, both, type Case, type CaseMakers, clock, f32, numbers, u32 } from './operands.ts';

const SLOTS = 3;
/** From this size on every model has its cases. */
const MANY = 1000;
const { lif, ...others } = neuronCatalogue;

/** Networks without gradients. Step 5 of a ring of 3 is line 2. */
export const simulatorCases = {
  advance_clock: () => [
    {
      name: 'a step',
      kernel: 'advance_clock',
      operands: { clock: clock(5, 0, 7) },
      attributes: {},
    },
  ],
  neuron_step: (count, from) => [
    ...both.map((perNeuron) => stepCase(lif, { count, perNeuron, from })),
    // How neurons are laid out does not depend on the model.
    ...(count < MANY ? [] : Object.values(others)).map((model) =>
      stepCase(model, { count, perNeuron: false, from }),
    ),
    ...(count < MANY ? [] : [stepCase(quadraticModel, { count, perNeuron: true, from })]),
  ],
  mean_field: (count, from) => [
    {
      name: 'the second state',
      kernel: 'mean_field',
      operands: {
        states: numbers([2, count], from, -Math.PI, Math.PI),
        constants: numbers([5], from),
      },
      attributes: { count, row: 1, at: 3 },
    },
  ],
  deliver_spikes: (size, from) => both.map((hasDelays) => deliveryCase(size, { hasDelays, from })),
  inject_current: (count, from) => [
    {
      name: 'a ramp into the last neurons',
      kernel: 'inject_current',
      operands: { clock: clock(5, 0, 7), drive: numbers([count + 3], from) },
      attributes: { first: 3, count, start: 2, stop: 6, from: 0.5, slope: -0.25 },
    },
    {
      name: 'over',
      kernel: 'inject_current',
      operands: { clock: clock(6, 0, 7), drive: numbers([count], from) },
      attributes: { first: 0, count, start: 2, stop: 6, from: 1, slope: 0 },
    },
  ],
  inject_noise: (count, from) => [
    {
      name: 'noise',
      kernel: 'inject_noise',
      operands: { clock: clock(5, 0, 7), drive: numbers([count + 3], from) },
      attributes: { first: 3, count, stream: 4, mean: 0.5, factor: 2 / NOISE_DEVIATION },
    },
  ],
  inject_poisson: (count, from) => [
    {
      name: 'events',
      kernel: 'inject_poisson',
      operands: {
        clock: clock(5, 0, 7),
        table: u32([3], Uint32Array.of(0x40000000, 0xa0000000, 0xfff00000)),
        drive: numbers([count + 3], from),
      },
      attributes: { first: 3, count, stream: 4, weight: 0.25, entries: 3 },
    },
  ],
  replay_spikes: (count, from) =>
    [4, 5, 7].map((step) => ({
      name: `step ${step}`,
      kernel: 'replay_spikes' as const,
      operands: {
        clock: clock(step, 0, 7),
        // Nothing in steps 0 to 4, the last word in step 5.
        stepStart: u32([7], Uint32Array.of(0, 0, 0, 0, 0, 0, 1)),
        word: u32([1], Uint32Array.of(Math.ceil(count / 32) - 1)),
        fired: u32([1], Uint32Array.of(1)),
        spikes: bits([count], from),
      },
      attributes: { count, steps: 6 },
    })),
  record_spikes: (count, from) => [
    {
      name: 'spikes',
      kernel: 'record_spikes',
      operands: {
        clock: clock(5, 0, 7),
        spikes: bits([count], from),
        history: bits([SLOTS, count], from),
      },
      attributes: { count, capacity: SLOTS },
    },
  ],
  record_state: (count, from) => [
    {
      name: 'the second state',
      kernel: 'record_state',
      operands: {
        clock: clock(5, 0, 7),
        states: numbers([2, count + 5], from),
        chosen: u32([count], from.integers(count, count + 5)),
        history: numbers([SLOTS, count], from),
      },
      attributes: { count, capacity: SLOTS, neurons: count + 5, row: 1 },
    },
  ],
  count_spikes: (count, from) => [
    {
      name: 'spikes',
      kernel: 'count_spikes',
      operands: {
        clock: clock(5, 0, 7),
        spikes: bits([count], from),
        counts: u32([SLOTS], Uint32Array.of(7, 8, 9)),
      },
      attributes: { count, capacity: SLOTS },
    },
  ],
} satisfies Partial<CaseMakers>;

/** States and inputs around the threshold, so that some neurons fire and some are refractory. */
const NEAR: Readonly<Record<string, readonly [low: number, high: number, input: number]>> = {
  lif_integer: [-32_000, 2000, 4000],
  izhikevich: [-80, 40, 20],
  izhikevich_euler: [-80, 40, 20],
};

function stepCase(
  model: NeuronModel,
  {
    count,
    perNeuron,
    from,
  }: { readonly count: number; readonly perNeuron: boolean; readonly from: Source },
): Case<'neuron_step'> {
  const [low, high, input] = NEAR[model.name] ?? [-2, 2, 2];
  const isWhole = model.name === 'lif_integer';
  const lines = perNeuron ? count : 1;
  const rows = model.states.map(({ name }) =>
    firstOf(name, from.floats(count, low, high), isWhole),
  );
  const own = Array.from({ length: lines }, () => constantsOf(model, from));
  const constants = constantCount(model);
  const arriving = from.floats(SLOTS * count, -input * 16, input * 16);
  return {
    name: `${model.name}${perNeuron ? ' with numbers of its own' : ''}`,
    kernel: 'neuron_step',
    operands: {
      clock: clock(5, 0, 7),
      ring: u32(
        [SLOTS, count],
        Uint32Array.from(arriving, (x) => Math.round(x)),
      ),
      drive: isWhole ? f32([count], new Float32Array(count)) : numbers([count], from),
      constants: f32(
        [constants, lines],
        Float32Array.from(
          { length: constants * lines },
          (_, i) => own[i % lines]![Math.floor(i / lines)]!,
        ),
      ),
      states: f32([rows.length, count], Float32Array.from(rows.flatMap((row) => [...row]))),
      spikes: bits([count], from),
    },
    attributes: {
      ...{ model, count, slots: SLOTS, constants, perNeuron, dt: 0.5 },
      scale: isWhole ? 1 : 1 / 16,
    },
  };
}

function firstOf(name: string, values: Float32Array, isWhole: boolean): Float32Array {
  // Counters and the spike before are no continuous states.
  if (name === 'rest') return values.map((x) => Math.max(0, Math.round(x)));
  if (name === 's') return values.map((x) => Number(x > 0));
  return isWhole ? values.map((x) => Math.round(x)) : values;
}

function constantsOf(model: NeuronModel, from: Source): readonly number[] {
  const parameters = model.parameters.map(({ name, initial }) =>
    name === 'refractory' ? 0.5 : initial * from.uniform(0.9, 1.1),
  );
  const own = model.constants?.(parameters, 0.5) ?? parameters;
  return model.phase === undefined ? own : [...own, 0.3, -0.4];
}

function deliveryCase(
  size: number,
  { hasDelays, from }: { readonly hasDelays: boolean; readonly from: Source },
): Case<'deliver_spikes'> {
  const targets = Math.ceil(size / 2) + 3;
  const lengths = from.integers(size, 9);
  const rowStart = new Uint32Array(size + 1);
  for (const [i, length] of lengths.entries()) rowStart[i + 1] = rowStart[i]! + length;
  const count = rowStart[size]! + 1;
  const target = from.integers(count, targets);
  for (let i = 0; i < size; i++) target.subarray(rowStart[i], rowStart[i + 1]).sort();
  return {
    name: hasDelays ? 'delays of their own' : 'one delay',
    kernel: 'deliver_spikes',
    operands: {
      clock: clock(5, 0, 7),
      spikes: bits([size], from),
      rowStart: u32([size + 1], rowStart),
      target: u32([count], target),
      weight: numbers([count], from),
      ring: u32([SLOTS, targets], from.integers(SLOTS * targets, 2 ** 31)),
      ...(hasDelays && {
        delay: u32(
          [count],
          from.integers(count, SLOTS).map((steps) => steps + 1),
        ),
      }),
    },
    attributes: { sources: size, targets, slots: SLOTS, scale: 64, steps: 2 },
  };
}
