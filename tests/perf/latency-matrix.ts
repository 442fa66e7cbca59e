import { createGeoClient } from '../../edge/geo/contract/client.ts';
import { openStage } from './gateway-stage.ts';
import { report } from './report.ts';
import { ofRegion } from '../edge/geo-params.ts';

/*
 * How long the latency matrix takes, seen from outside of the platform, of 10 and of 50 regions: the
 * first answer after a region was added, when all of it is computed, and later ones, when it is cached.
 * It is bar 17.
 */
const REPEATS = 100;
const SIZES = [
  { regions: 10, targetMs: 20 },
  { regions: 50, targetMs: 50 },
];

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(share * values.length))
  ] ?? 0;

const stage = await openStage();
const geo = createGeoClient({ base: stage.url.origin });
const url = new URL('/api/geo/latency-matrix', stage.url);

async function time(): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return performance.now() - started;
}

async function addRegion(n: number): Promise<void> {
  const location = { lat: ((n * 37) % 140) - 70, lon: ((n * 61) % 340) - 170 };
  await geo.createRegion({ body: { region_id: `region-${n}`, location } });
}

try {
  for (let i = 0; i < 20; i++) await time();
  for (const { regions, targetMs } of SIZES) {
    const { total } = await geo.listRegions();
    for (let n = total; n < regions; n++) await addRegion(n);
    const computed: number[] = [];
    const kept: number[] = [];
    for (let i = 0; i < REPEATS; i++) {
      // Another set of regions each time, of the same size.
      await geo.deleteRegion(ofRegion(`region-${regions - 1}`));
      await addRegion(regions - 1);
      computed.push(await time());
      kept.push(await time());
    }
    for (const [name, values] of [
      ['computed', computed],
      ['kept', kept],
    ] as const) {
      for (const [what, share] of [
        ['median', 0.5],
        ['p95', 0.95],
      ] as const) {
        report({
          bar: 17,
          name: `latency matrix of ${regions} regions from outside, ${name}, ${what} of ${REPEATS}`,
          value: Number(percentile(values, share).toFixed(2)),
          unit: 'ms',
          target: targetMs,
          better: 'lower',
        });
      }
    }
  }
} finally {
  await stage.close();
}
