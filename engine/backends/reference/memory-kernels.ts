import { at, type ReferenceKernels, setBit } from './views.ts';
import { philox, uniformFrom } from '../../random/philox.ts';
import { wordsPerRow } from '../../graph/tensor.ts';

export const memoryKernels = {
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
