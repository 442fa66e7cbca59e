import type { SequenceAttributes } from '../../graph/sequence-kernels.ts';
import { at, type ReferenceKernels } from './views.ts';

export const sequenceKernels: ReferenceKernels<keyof SequenceAttributes> = {
  copy_rows: ({ f }, attributes) => {
    const { steps, sourceSteps, batch, copiedRows, width, accumulate } = attributes;
    const { sourceRows, sourceFirst, targetRows, targetFirst } = attributes;
    const [source, target] = [f('source'), f('target')];
    for (let sequence = 0; sequence < steps * batch; sequence++) {
      const from = (sequence % (sourceSteps * batch)) * sourceRows + sourceFirst;
      const to = sequence * targetRows + targetFirst;
      for (let i = 0; i < copiedRows * width; i++) {
        const before = accumulate ? at(target, to * width + i) : 0;
        target[to * width + i] = before + at(source, from * width + i);
      }
    }
  },
};
