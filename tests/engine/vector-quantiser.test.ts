import { describe, expect, it } from 'vitest';
import { fitCentroids, nearestCentroids } from '../../engine/data/vector-quantiser.ts';
import { randomSource } from './random.ts';

/** Clouds of 20 vectors each around some centres, the clouds in turns. */
function clouds(centres: readonly (readonly number[])[], spread: number) {
  const from = randomSource(5);
  const [features = 0] = [centres[0]?.length];
  const values = Float32Array.from(
    Array.from({ length: 20 }, () => centres)
      .flat(2)
      .map((value) => value + spread * (from.integers(1, 201)[0]! / 100 - 1)),
  );
  return { values, features };
}

describe('the vector quantiser', () => {
  const centres = [
    [0, 0, 0],
    [4, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
  ];

  it('separates clouds, its centroids being their means', () => {
    const vectors = clouds(centres, 0.5);

    const centroids = fitCentroids(vectors, 4);
    const codes = nearestCentroids(vectors, centroids);

    const ofClouds = codes.subarray(0, 4);
    expect(new Set(ofClouds).size).toBe(4);
    expect([...codes]).toEqual(Array.from({ length: 20 }, () => [...ofClouds]).flat());
    for (const [cloud, code] of ofClouds.entries()) {
      const mean = [0, 1, 2].map((n) => {
        const own = Array.from({ length: 20 }, (_, i) => vectors.values[(4 * i + cloud) * 3 + n]!);
        return Math.fround(own.reduce((a, b) => a + b, 0) / 20);
      });
      expect([...centroids.subarray(3 * code, 3 * code + 3)]).toEqual(mean);
    }
  });

  it('uses no code twice where there are fewer vectors than codes', () => {
    const vectors = clouds(centres, 0);

    const centroids = fitCentroids(vectors, 7);
    const codes = nearestCentroids(vectors, centroids);

    expect(new Set(codes).size).toBe(4);
    expect(Math.max(...codes)).toBeLessThan(4);
    for (const [i, code] of codes.entries()) {
      expect([...centroids.subarray(3 * code, 3 * code + 3)]).toEqual(centres[i % 4]);
    }
  });
});
