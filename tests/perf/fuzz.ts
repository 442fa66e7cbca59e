import { parseArgs } from 'node:util';
import { faultsIn, lineOf, runFuzz, totalOf } from '../fuzz/run-fuzz.ts';
import { targets } from '../fuzz/targets.ts';
import type { Outcome } from '../fuzz/watched-cases.ts';
import { note, report } from './report.ts';

/**
 * Mutated inputs of all parsers, ten million by default, by another seed than the tests:
 *
 *   fuzz.ts [--cases 10000000] [--seed 2]
 *   fuzz.ts --parser png --seed 2 --from 700 --cases 50    some cases of one parser, as a fault names them
 *
 * Every parser reads at least so many of them; the rest are shared out by how fast each is.
 */
const LEAST = 50_000;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000000' },
    seed: { type: 'string', default: '2' },
    from: { type: 'string', default: '0' },
    parser: { type: 'string' },
  },
});
const [wanted, seed, from] = [values.cases, values.seed, values.from].map(Number) as [
  number,
  number,
  number,
];
const parsers = values.parser === undefined ? targets.map(({ name }) => name) : [values.parser];
const onOutcome = (outcome: Outcome) => note(lineOf(outcome));

const least = Math.min(LEAST, Math.ceil(wanted / parsers.length));
const first = await runFuzz({ parsers, seed, from, count: least, onOutcome });
const speeds = new Map(first.map(({ name, cases, seconds }) => [name, cases / seconds]));
const all = [...speeds.values()].reduce((sum, speed) => sum + speed, 0);
const rest = Math.max(0, wanted - totalOf(first));
const share = (name: string) => Math.ceil((rest * (speeds.get(name) ?? 0)) / all);
const more =
  rest === 0 ? [] : await runFuzz({ parsers, seed, from: from + least, count: share, onOutcome });

const outcomes = [...first, ...more];
const faults = outcomes.flatMap(faultsIn);
for (const fault of faults) note(fault);
const grown = Math.max(...outcomes.map(({ grownBytes }) => grownBytes)) / 2 ** 20;
report({
  name: 'mutated inputs',
  value: totalOf(outcomes),
  unit: 'cases',
  target: wanted,
  better: 'higher',
});
report({
  name: 'crashes and hangs',
  value: faults.length,
  unit: 'cases',
  target: 0,
  better: 'lower',
});
report({
  name: 'most growth of a parser',
  value: grown,
  unit: 'MiB',
  target: 256,
  better: 'lower',
});
process.exit(faults.length === 0 ? 0 : 1);
