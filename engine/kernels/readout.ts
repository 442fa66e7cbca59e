import { equations } from '../kernel-language/written-kernel.ts';
import { BY_CHUNKS, CHUNKS, ACCUMULATE, kernelsOf } from './table.ts';

/** Mean over the time steps, and the learned blend of direct and deep path. */
export const readoutKernels = kernelsOf('readout', {
  mean_steps_forward: {
    operands: { source: 'read', target: 'write' },
    attributes: { count: 'int', steps: 'int' },
    write: equations({
      over: { step: 'steps', element: 'count' },
      scan: 'step',
      shapes: { source: 'f32[steps, count]', target: 'f32[count]' },
      equations: `
        state sum = 0
        sum = sum + source
        after
        target = sum / steps`,
    }),
  },
  mean_steps_backward: {
    operands: { gradient: 'read', target: 'update' },
    attributes: { count: 'int', steps: 'int', ...ACCUMULATE },
    write: equations({
      over: { step: 'steps', element: 'count' },
      shapes: { gradient: 'f32[count]', target: 'f32[steps, count]' },
      equations: `target (+)= gradient / steps`,
    }),
  },
  readout_mix_forward: {
    operands: { direct: 'read', deep: 'read', mix: 'read', output: 'write' },
    attributes: { count: 'int' },
    write: equations({
      over: { element: 'count' },
      shapes: { direct: 'f32[count]', deep: 'f32[count]', mix: 'f32[1]', output: 'f32[count]' },
      equations: `
        s = sigmoid(mix)
        output = s * direct + (1 - s) * deep`,
    }),
  },
  readout_mix_backward: {
    operands: { mix: 'read', gradient: 'read', directGradient: 'update', deepGradient: 'update' },
    attributes: { count: 'int', accumulateDirect: 'flag', accumulateDeep: 'flag' },
    write: equations(({ accumulateDirect, accumulateDeep }) => ({
      over: { element: 'count' },
      shapes: {
        mix: 'f32[1]',
        gradient: 'f32[count]',
        directGradient: 'f32[count]',
        deepGradient: 'f32[count]',
      },
      equations: `
        s = sigmoid(mix)
        directGradient = s * gradient ${accumulateDirect === true ? '+ directGradient' : ''}
        deepGradient = (1 - s) * gradient ${accumulateDeep === true ? '+ deepGradient' : ''}`,
    })),
  },
  readout_mix_backward_mix: {
    operands: { direct: 'read', deep: 'read', mix: 'read', gradient: 'read', partial: 'write' },
    attributes: CHUNKS,
    write: equations({
      ...BY_CHUNKS,
      shapes: {
        direct: 'f32[count]',
        deep: 'f32[count]',
        mix: 'f32[1]',
        gradient: 'f32[count]',
        partial: 'f32[count / chunk]',
      },
      equations: `
        i = place + line * chunk
        s = sigmoid(mix)
        partial = s * (1 - s) * rowSum(gradient[i] * (direct[i] - deep[i]))`,
    }),
  },
});
