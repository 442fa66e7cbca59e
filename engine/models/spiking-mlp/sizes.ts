import { chain, packed, parameterSizes, part, peakOf, words } from '../../graph/sizes.ts';
import { partialSumsSize } from '../../ops/row-sums.ts';
import { type ClassifierSizes, lossPart, spikeProduct } from '../classification/sizes.ts';
import { spikingMlpParameters } from './parameters.ts';
import type { SpikingMlpStructure } from './structure.ts';

/** What the network takes whose answer is the mean of its membranes. */
export function mlpSizes(structure: SpikingMlpStructure): ClassifierSizes {
  const { inputs, hidden, classes, steps } = structure;
  return {
    parameters: parameterSizes(spikingMlpParameters(structure)),
    inputs,
    classes,
    steps,
    layers: [hidden],
    step(batch) {
      const rows = steps * batch;
      const [current, spikes] = [words(batch, hidden), words(rows, hidden)];
      // Neurons write the gradient of a current of as many steps over that of their spikes.
      const neurons = part(current, {
        back: [
          steps > 1 ? 2 * current + spikes : current + spikes,
          current + partialSumsSize(batch, hidden),
        ],
      });
      const output = words(rows, classes);
      // Membranes have no need of their current on the way back.
      const membranes = part(0, { there: [2 * output], back: [2 * output] });
      const product = spikeProduct(rows, hidden, classes);
      return peakOf(chain(neurons, product, membranes, lossPart(rows, classes)));
    },
    forward(batch) {
      const rows = steps * batch;
      const output = words(rows, classes);
      return Math.max(
        words(batch, hidden) + packed(rows, hidden),
        packed(rows, hidden) + output,
        2 * output,
        output + 2 * words(rows),
        // The losses are still there when the mean of the membranes is taken.
        output + words(rows) + words(batch, classes),
      );
    },
  };
}
