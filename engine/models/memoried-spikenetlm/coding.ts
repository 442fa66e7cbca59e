import type { CaptionedSet } from '../../data/captions/captions.ts';
import { patchesOf } from '../../data/images/patches.ts';
import { refuse } from '../../data/captions/caption-files.ts';
import { fitCentroids, nearestCentroids } from '../../data/vector-quantiser.ts';
import { keyOf, philox } from '../../random/philox.ts';
import { type Prefix, prefixesOf, type PrefixInputs } from '../captioning/prefix.ts';
import type { Codebooks } from './codebooks.ts';
import type { CodedInputs, CodedModality } from './family.ts';

/** Patches or frames that centroids are fitted on at most: 32 for each of 256. */
const MAX_FITTED = 1 << 13;
const DRAW_STREAM = 0x56454354;

/** Fits centroids on what there is to learn from. */
export function fitCodebooks(set: CaptionedSet, inputs: CodedInputs): Codebooks {
  return Object.fromEntries(
    prefixesOf(inputs).map((prefix) => {
      const { modality, features } = prefix;
      const values = drawVectors(set.train, prefix, readerOf(set, inputs, prefix));
      return [modality, fitCentroids({ values, features }, inputs.vocabularies[modality])];
    }),
  );
}

/** The codes of each pair, modality by modality in the order of `prefixesOf`. */
export function* codesOf(
  set: CaptionedSet,
  inputs: CodedInputs,
  codebooks: Codebooks,
): Generator<readonly { readonly modality: CodedModality; readonly codes: Uint32Array }[]> {
  const readers = prefixesOf(inputs).map((prefix) => ({
    ...prefix,
    read: readerOf(set, inputs, prefix),
    centroids: codebooks[prefix.modality] ?? new Float32Array(),
  }));
  for (const pair of set.captions.keys()) {
    yield readers.map(({ modality, features, read, centroids }) => ({
      modality,
      codes: nearestCentroids({ values: read(pair), features }, centroids),
    }));
  }
}

/** The codes of what one input shows and sounds like, in the order of `prefixesOf`; of those that are there. */
export function codesOfInputs(
  inputs: CodedInputs,
  codebooks: Codebooks,
  given: PrefixInputs,
): { readonly modality: CodedModality; readonly codes: Uint32Array }[] {
  return prefixesOf(inputs).flatMap(({ modality, features }) => {
    const values = given[modality];
    const centroids = codebooks[modality];
    return values && centroids
      ? [{ modality, codes: nearestCentroids({ values, features }, centroids) }]
      : [];
  });
}

/** The vectors of a pair, `[tokens][features]`, valid until the next call. */
type VectorReader = (pair: number) => Float32Array;

function readerOf(
  { pictures, sounds }: CaptionedSet,
  { image }: CodedInputs,
  { modality, tokens, features }: Prefix,
): VectorReader {
  const size = tokens * features;
  if (modality === 'audio') {
    if (!sounds) return refuse('there are no sounds: the model reads them in its streams');
    const { values } = sounds;
    return (pair) => values.subarray(pair * size, (pair + 1) * size);
  }
  if (!pictures || !image) {
    return refuse('there are no pictures: the model reads them in its streams');
  }
  const { values } = pictures;
  const patches = new Float32Array(size);
  return (pair) => {
    patchesOf(values.subarray(pair * size, (pair + 1) * size), image, patches);
    return patches;
  };
}

/** All vectors of some pairs or, where there are more than are fitted, as many drawn with replacement. */
function drawVectors(
  pairs: readonly number[],
  { tokens, features }: Prefix,
  read: VectorReader,
): Float32Array {
  const all = pairs.length * tokens;
  const drawn = new Float32Array(Math.min(all, MAX_FITTED) * features);
  for (let i = 0; i < drawn.length / features; i++) {
    const [word = 0] = philox([i, 0, 0, DRAW_STREAM], keyOf(0));
    const place = all > MAX_FITTED ? Math.floor((word / 2 ** 32) * all) : i;
    const first = (place % tokens) * features;
    const vectors = read(pairs[Math.floor(place / tokens)] ?? 0);
    drawn.set(vectors.subarray(first, first + features), i * features);
  }
  return drawn;
}
