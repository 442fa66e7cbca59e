import { fuseSlope } from '../kernel-language/fuse-slope.ts';
import { parseBody } from '../kernel-language/parse-body.ts';
import { equations } from '../kernel-language/written-kernel.ts';
import { type Activation, activation } from './dense.ts';
import { ACCUMULATE, kernelsOf } from './table.ts';

/**
 * Functions of whole layers whose derivative takes as long as they: both are computed at once. The others are
 * cheap, or of a few numbers for each neuron, and their derivative is computed on the way back.
 */
export const COSTLY_ACTIVATIONS = ['gelu'] as const satisfies readonly Activation[];

/** Activations that keep their derivative for the way back, instead of their input. */
export const slopeKernels = kernelsOf('activation', {
  /** As activation_forward, with the derivative at each input: one e^x serves both. */
  activation_with_slope: {
    operands: { input: 'read', output: 'write', slope: 'write' },
    attributes: { count: 'int', activation: COSTLY_ACTIVATIONS },
    write: (choices, row) =>
      fuseSlope(parseBody(row, activation(choices['activation']), choices), 'slope'),
  },
  slope_backward: {
    operands: { slope: 'read', gradient: 'read', inputGradient: 'update' },
    attributes: { count: 'int', ...ACCUMULATE },
    write: equations({
      over: { element: 'count' },
      shapes: { slope: 'f32[count]', gradient: 'f32[count]', inputGradient: 'f32[count]' },
      equations: 'inputGradient (+)= gradient * slope',
    }),
  },
});
