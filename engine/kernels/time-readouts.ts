import { equations } from '../kernel-language/written-kernel.ts';
import { ACCUMULATE, kernelsOf, STEPS } from './table.ts';

const BY_STEPS = { over: { step: 'steps', row: 'rows', column: 'width' } } as const;

const SHAPES = {
  source: 'f32[steps, rows, width]',
  target: 'f32[rows, width]',
  place: 'u32[rows, width]',
} as const;

const GRADIENT_SHAPES = {
  gradient: 'f32[rows, width]',
  place: 'u32[rows, width]',
  target: 'f32[steps, rows, width]',
} as const;

/** Below every number that float32 has. */
export const LEAST = -3.4e38;

/** One number for each neuron from all of its steps. Made when a program first calls them: no part of a build. */
export const timeReadoutKernels = kernelsOf('readout', {
  /** Packed spikes as the numbers 0 and 1. */
  spike_values: {
    operands: { spikes: 'read', target: 'write' },
    attributes: STEPS,
    write: equations({
      ...BY_STEPS,
      shapes: { spikes: 'bits[steps, rows, width]', target: 'f32[steps, rows, width]' },
      equations: 'target = f32(spikes)',
    }),
  },
  /** The sum over the steps, times `factor`. */
  total_steps_forward: {
    operands: { source: 'read', target: 'write' },
    attributes: { ...STEPS, factor: 'float', spikes: 'flag' },
    write: equations(({ spikes }) => ({
      ...BY_STEPS,
      scan: 'step',
      shapes: { ...SHAPES, source: `${spikes === true ? 'bits' : 'f32'}[steps, rows, width]` },
      equations: `
        state sum = 0
        sum = sum + f32(source)
        after
        target = sum * factor`,
    })),
  },
  total_steps_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { ...STEPS, factor: 'float', ...ACCUMULATE },
    write: equations({
      ...BY_STEPS,
      shapes: GRADIENT_SHAPES,
      equations: 'target (+)= gradient * factor',
    }),
  },
  last_step_forward: {
    operands: { source: 'read', target: 'write' },
    attributes: STEPS,
    write: equations({
      over: { row: 'rows', column: 'width' },
      shapes: SHAPES,
      equations: 'target = source[steps - 1, row, column]',
    }),
  },
  last_step_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { ...STEPS, ...ACCUMULATE },
    write: equations({
      ...BY_STEPS,
      shapes: GRADIENT_SHAPES,
      equations: 'target (+)= step == steps - 1 ? gradient : 0',
    }),
  },
  /** `place` is the first step that has the maximum. */
  max_steps_forward: {
    operands: { source: 'read', target: 'write', place: 'write' },
    attributes: STEPS,
    write: equations({
      ...BY_STEPS,
      scan: 'step',
      shapes: SHAPES,
      equations: `
        state most = ${LEAST}
        state at = 0
        at = source > most ? f32(step) : at
        most = max(most, source)
        after
        target = most
        place = u32(at)`,
    }),
  },
  max_steps_backward: {
    operands: { gradient: 'read', place: 'read', target: 'update' },
    attributes: { ...STEPS, ...ACCUMULATE },
    write: equations({
      ...BY_STEPS,
      shapes: GRADIENT_SHAPES,
      equations: 'target (+)= step == i32(place) ? gradient : 0',
    }),
  },
  /** `silent` is the product of 1 - spike over the steps before each. */
  first_spike_forward: {
    operands: { source: 'read', target: 'write', silent: 'write' },
    attributes: STEPS,
    write: equations({
      ...BY_STEPS,
      scan: 'step',
      shapes: { ...SHAPES, silent: 'f32[steps, rows, width]' },
      equations: `
        state still = 1
        state latency = 0
        silent = still
        still = still * (1 - source)
        latency = latency + still
        after
        target = latency`,
    }),
  },
  first_spike_backward: {
    operands: { source: 'read', silent: 'read', gradient: 'read', target: 'write' },
    attributes: STEPS,
    write: equations({
      ...BY_STEPS,
      scan: 'step',
      isBackward: true,
      shapes: {
        ...GRADIENT_SHAPES,
        source: 'f32[steps, rows, width]',
        silent: 'f32[steps, rows, width]',
      },
      equations: `
        state rest = 0
        target = -(silent * gradient * (1 + rest))
        rest = (1 - source) * (1 + rest)`,
    }),
  },
});
