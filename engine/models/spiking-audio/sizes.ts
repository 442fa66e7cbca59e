import { chain, packed, parameterSizes, part, peakOf, words } from '../../graph/sizes.ts';
import { partialSumsSize } from '../../ops/row-sums.ts';
import { type ClassifierSizes, lossPart, spikeProduct } from '../classification/sizes.ts';
import { spikingAudioParameters, type SpikingAudioStructure } from './structure.ts';

/** Memory of the network. */
export function audioSizes(structure: SpikingAudioStructure): ClassifierSizes {
  const { frames, features, hidden, classes, steps } = structure;
  /** Currents of each frame, and of each time step where those are more. */
  const currents = (batch: number) => {
    const frame = words(frames * batch, hidden);
    const rows = frames * steps * batch;
    return { frame, rows, all: words(rows, hidden), isHeld: steps > 1 };
  };
  const there = (batch: number) => {
    const { frame, rows, all, isHeld } = currents(batch);
    return [isHeld ? frame + all : 0, 2 * all + packed(rows, hidden)];
  };
  return {
    parameters: parameterSizes(spikingAudioParameters(structure)),
    inputs: frames * features,
    classes,
    steps: 1,
    layers: [hidden],
    step(batch) {
      const { frame, rows, all, isHeld } = currents(batch);
      const spikes = packed(rows, hidden);
      // Membranes are kept, and the spikes for the weights that lead back.
      const neurons = part(all, {
        there: there(batch),
        back: [
          2 * all + spikes,
          spikes + all + packed(hidden, rows) + spikes,
          (isHeld ? all : 0) + frame,
          frame + partialSumsSize(frames * batch, hidden),
        ],
      });
      const { kept, ...rest } = spikeProduct(rows, hidden, classes);
      const output = { ...rest, kept, back: rest.back + kept };
      const means = rows > batch ? words(rows, classes) : 0;
      return peakOf(chain(neurons, output, lossPart(batch, classes, means)));
    },
    forward(batch) {
      const { rows } = currents(batch);
      const output = words(rows, classes);
      return Math.max(
        ...there(batch),
        packed(rows, hidden) + output,
        output + words(batch, classes),
      );
    },
  };
}
