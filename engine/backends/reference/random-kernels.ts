import { wordsPerRow } from '../../graph/tensor.ts';
import { philox, uniformFrom } from '../../random/philox.ts';
import { at, type ReferenceKernels, setBit } from './views.ts';

export const randomKernels = {
  random_uniform: ({ f, u }, { count, stream }) => {
    const output = f('output');
    const [step = 0, , low = 0, high = 0] = u('clock');
    for (let i = 0; i < count; i++) {
      const words = philox([Math.floor(i / 4), stream, step, 0], [low, high]);
      output[i] = uniformFrom(at(words, i % 4));
    }
  },
  random_spikes: ({ f, u }, { rows, width, stream, probabilityRows }) => {
    const spikes = u('spikes').fill(0);
    const [step = 0, , low = 0, high = 0] = u('clock');
    const quads = Math.ceil(width / 4);
    for (let r = 0; r < rows; r++) {
      for (let n = 0; n < width; n++) {
        const words = philox([r * quads + Math.floor(n / 4), stream, step, 0], [low, high]);
        const probability = at(f('probabilities'), (r % probabilityRows) * width + n);
        if (uniformFrom(at(words, n % 4)) < probability) setBit(spikes, wordsPerRow(width), r, n);
      }
    }
  },
} satisfies Partial<ReferenceKernels>;
