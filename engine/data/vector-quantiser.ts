import { keyOf, philox, uniformFrom } from '../random/philox.ts';

/*
 * Vector quantisation by k-means: a vector is coded by its nearest centroid. Arithmetic runs in a fixed
 * order, so the same vectors give the same centroids on every machine.
 */

/** Vectors, `[count][features]`. */
interface Vectors {
  readonly values: Float32Array;
  readonly features: number;
}

/** Maximum rounds of Lloyd's algorithm; most vectors are settled long before. */
const ROUNDS = 12;
const SEED_STREAM = 0x4b4d5053;

/**
 * The centroids `[codes][features]` of some vectors: k-means++ seeds (Arthur & Vassilvitskii 2007), then
 * rounds of Lloyd (1982). If there are fewer distinct vectors than codes, the last centroids repeat the
 * first and no vector is assigned to them.
 */
export function fitCentroids(vectors: Vectors, codes: number): Float32Array {
  const centroids = seedCentroids(vectors, codes);
  let before: Uint32Array | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const nearest = nearestCentroids(vectors, centroids);
    if (before?.every((code, i) => code === nearest[i])) break;
    moveToMeans(vectors, nearest, centroids);
    before = nearest;
  }
  return centroids;
}

/** The number of the centroid nearest to each vector, the first of those that are equally near. */
export function nearestCentroids(
  { values, features }: Vectors,
  centroids: Float32Array,
): Uint32Array {
  const codes = centroids.length / features;
  const nearest = new Uint32Array(values.length / features);
  for (let i = 0; i < nearest.length; i++) {
    let min = Number.POSITIVE_INFINITY;
    for (let code = 0; code < codes; code++) {
      let distance = 0;
      // Most centroids are ruled out after a few features.
      for (let n = 0; n < features && distance < min; n++) {
        const apart = (values[i * features + n] ?? 0) - (centroids[code * features + n] ?? 0);
        distance += apart * apart;
      }
      if (distance >= min) continue;
      min = distance;
      nearest[i] = code;
    }
  }
  return nearest;
}

/** Vectors drawn each with a probability that grows with the squared distance from those drawn before. */
function seedCentroids({ values, features }: Vectors, codes: number): Float32Array {
  const count = values.length / features;
  const vector = (i: number) => values.subarray(i * features, (i + 1) * features);
  const centroids = new Float32Array(codes * features);
  const distances = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  let chosen = 0;
  for (let code = 0; code < codes; code++) {
    const centroid = vector(chosen);
    centroids.set(centroid, code * features);
    let total = 0;
    for (let i = 0; i < count; i++) {
      const distance = Math.min(distances[i] ?? 0, squaredDistance(vector(i), centroid));
      distances[i] = distance;
      total += distance;
    }
    const [word = 0] = philox([code, 0, 0, SEED_STREAM], keyOf(0));
    chosen = total > 0 ? placeAt(distances, uniformFrom(word) * total) : 0;
  }
  return centroids;
}

/** The first index at which the cumulative weight exceeds `sum`. */
function placeAt(weights: Float64Array, sum: number): number {
  let left = sum;
  let last = 0;
  for (const [i, weight] of weights.entries()) {
    if (weight === 0) continue;
    last = i;
    left -= weight;
    if (left < 0) return i;
  }
  return last;
}

function squaredDistance(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += ((a[n] ?? 0) - (b[n] ?? 0)) ** 2;
  return sum;
}

/** Moves each centroid to the mean of its vectors; one that has none stays. */
function moveToMeans(
  { values, features }: Vectors,
  nearest: Uint32Array,
  centroids: Float32Array,
): void {
  const sums = new Float64Array(centroids.length);
  const counts = new Uint32Array(centroids.length / features);
  for (const [i, code] of nearest.entries()) {
    counts[code] = (counts[code] ?? 0) + 1;
    for (let n = 0; n < features; n++) {
      const to = code * features + n;
      sums[to] = (sums[to] ?? 0) + (values[i * features + n] ?? 0);
    }
  }
  for (const [i, sum] of sums.entries()) {
    const count = counts[Math.floor(i / features)] ?? 0;
    if (count > 0) centroids[i] = sum / count;
  }
}
