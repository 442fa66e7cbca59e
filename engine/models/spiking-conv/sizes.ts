import {
  chain,
  packed,
  parameterSizes,
  type Part,
  part,
  peakOf,
  words,
} from '../../graph/sizes.ts';
import { lineSumsSize } from '../../ops/conv2d.ts';
import { partialSumsSize } from '../../ops/row-sums.ts';
import { type ClassifierSizes, lossPart, spikeProduct } from '../classification/sizes.ts';
import {
  placeBlocks,
  type PlacedBlock,
  spikingConvParameters,
  type SpikingConvStructure,
} from './structure.ts';

/** A block for so many rows: images times the steps of what it is fed with. */
interface Fed {
  readonly placed: PlacedBlock;
  readonly rows: number;
  /** Rows of its spikes. */
  readonly fired: number;
  readonly isFirst: boolean;
  readonly hasNorm: boolean;
}

/** Memory of the network; blocks whose spikes are averaged over windows are not among those that are trained. */
export function convSizes(structure: SpikingConvStructure): ClassifierSizes {
  const { image, hidden, classes, steps } = structure;
  const placed = placeBlocks(structure);
  const neurons = placed.map(({ fired }) => featuresOf(fired));
  const features = neurons.at(-1) ?? featuresOf(image);
  const blocksFor = (batch: number) =>
    placed.map((one, i) => ({
      placed: one,
      rows: i === 0 ? batch : steps * batch,
      fired: steps * batch,
      isFirst: i === 0,
      hasNorm: structure.norm === 'layer',
    }));
  return {
    parameters: parameterSizes(spikingConvParameters(structure)),
    inputs: featuresOf(image),
    classes,
    steps: 1,
    layers: [...neurons, hidden],
    step(batch) {
      const rows = steps * batch;
      return peakOf(
        chain(
          ...blocksFor(batch).map(blockPart),
          spikeProduct(rows, features, hidden),
          part(words(rows, hidden)),
          spikeProduct(rows, hidden, classes),
          lossPart(batch, classes, steps > 1 ? words(rows, classes) : 0),
        ),
      );
    },
    forward(batch) {
      const rows = steps * batch;
      return Math.max(
        ...blocksFor(batch).map(forwardSize),
        packed(rows, features) + words(rows, hidden),
        words(rows, hidden) + packed(rows, hidden),
        packed(rows, hidden) + words(rows, classes),
        steps > 1 ? words(rows, classes) + words(batch, classes) : 0,
      );
    },
  };
}

/** Convolution, layer norm where there is one, and neurons: what each is fed with is kept. */
function blockPart({ placed, rows, fired, isFirst, hasNorm }: Fed): Part {
  const { input, block } = placed;
  const width = featuresOf(placed.fired);
  const numbers = words(rows, width);
  const weight = [block.channels, input.channels, block.kernel, block.kernel];
  const sums = lineSumsSize(weight, rows);
  const spikes = isFirst ? 0 : packed(rows, featuresOf(input));
  const convolution = part(spikes, {
    back: [spikes + numbers + sums, isFirst ? 0 : numbers + words(rows, featuresOf(input))],
  });
  const filtered = numbers + words(rows, 2);
  const norm = part(filtered, {
    back: [filtered + numbers + 2 * partialSumsSize(rows, width), filtered + numbers],
  });
  const isHeld = rows !== fired;
  const neurons = part(numbers, { back: [isHeld ? 2 * numbers + words(fired, width) : 0] });
  return hasNorm ? chain(convolution, norm, neurons) : chain(convolution, neurons);
}

function forwardSize({ placed, rows, fired, isFirst, hasNorm }: Fed): number {
  const width = featuresOf(placed.fired);
  const numbers = words(rows, width);
  return Math.max(
    (isFirst ? 0 : packed(rows, featuresOf(placed.input))) + numbers,
    hasNorm ? 2 * numbers + words(rows, 2) : 0,
    numbers + packed(fired, width),
  );
}

function featuresOf({ channels, height, width }: PlacedBlock['fired']): number {
  return channels * height * width;
}
