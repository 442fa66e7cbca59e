import { parseArgs } from 'node:util';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import {
  accuracyOf,
  BROKEN,
  type Case,
  diagnosisOf,
  grow,
  HEALTHY,
  healthyOf,
  mend,
} from '../engine/broken-networks.ts';
import { note, report } from './report.ts';

/**
 * How well `diagnose` names what is wrong with 20 seeded networks, each broken in one manner, how well its remedies mend
 * them, and that it finds nothing wrong with healthy ones.
 *
 *   npm run bench -- --only doctor
 *   node tests/perf/doctor.ts --seed 100    the same networks and data from other seeds
 */
const { values } = parseArgs({ options: { seed: { type: 'string', default: '0' } } });
const shift = Number(values.seed);
const shifted = (one: Case): Case => ({ ...one, seed: one.seed + shift });

const backend = await openWasmBackend({ threads: 1 });
/** A point of accuracy. */
const WITHIN = 0.01;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

let [named, mended, falseCauses, healthyRuns] = [0, 0, 0, 0];
note('| network | healthy | broken | named | mended |');
note('| --- | --- | --- | --- | --- |');
for (const one of BROKEN.map(shifted)) {
  const healthy = await healthyAccuracy(healthyOf(one));
  const grown = await grow(one, backend);
  const broken = await accuracyOf(grown);
  const { findings } = await diagnosisOf(grown);
  const [first] = findings;
  const isNamed = first?.cause === one.cause;
  const after = first?.remedy && (await accuracyOf(await mend(grown, first)));
  const isMended = after !== undefined && after >= healthy - WITHIN;
  if (isNamed) named++;
  if (isMended) mended++;
  const answer = `${first?.cause ?? 'nothing'}${isNamed ? '' : ` (is ${one.cause})`}`;
  const result = after === undefined ? 'no remedy' : `${percent(after)}${isMended ? '' : ' NOT'}`;
  note(`| ${one.name} | ${percent(healthy)} | ${percent(broken)} | ${answer} | ${result} |`);
}
for (const one of HEALTHY.map(shifted)) {
  const accuracy = await healthyAccuracy(one);
  note(`${one.name}, seed ${one.seed}: ${percent(accuracy)}`);
}
backend.close();

const networks = { unit: `of ${BROKEN.length}`, better: 'higher' } as const;
report({ name: 'broken networks whose cause is named', value: named, target: 18, ...networks });
report({
  name: 'broken networks mended to within 1 point',
  value: mended,
  target: 15,
  ...networks,
});
report({
  name: 'healthy networks with a cause',
  value: falseCauses,
  unit: `of ${healthyRuns}`,
  target: 0,
  better: 'lower',
});

async function healthyAccuracy(one: Case): Promise<number> {
  const grown = await grow(one, backend);
  const { findings } = await diagnosisOf(grown);
  healthyRuns++;
  if (findings.length > 0) {
    falseCauses++;
    note(`${one.name}: ${findings.map(({ sentence }) => sentence).join('\n')}`);
  }
  return accuracyOf(grown);
}
