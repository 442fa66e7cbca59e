import { philox, uniformFrom } from '../../random/philox.ts';
import { at, type ReferenceKernels } from './views.ts';

export const multimodalKernels = {
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
  dropout: ({ f, u }, { count, share, stream, accumulate }) => {
    const [source, target] = [f('source'), f('target')];
    const [step = 0, , low = 0, high = 0] = u('clock');
    for (let i = 0; i < count; i++) {
      const words = philox([Math.floor(i / 4), stream, step, 0], [low, high]);
      const isKept = uniformFrom(at(words, i % 4)) >= share;
      const kept = isKept ? at(source, i) / (1 - share) : 0;
      target[i] = (accumulate ? at(target, i) : 0) + kept;
    }
  },
} satisfies Partial<ReferenceKernels>;
