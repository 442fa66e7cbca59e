import * as fc from 'fast-check';
import { distributionOf } from '../../edge/monitoring/distribution.ts';
import type { Exposed } from '../../edge/monitoring/exposition.ts';

/** Series with names, labels and values of all kinds; one type and one text for each name. */
export function anySeries(): fc.Arbitrary<Exposed[]> {
  const letter = fc.constantFrom(...'abcXYZ_09');
  const tail = fc.string({ unit: letter, maxLength: 6 });
  // The suffix keeps a name from being read as a part of another one's histogram.
  const name = tail.map((text) => `m${text}_q`);
  const text = fc.string({ unit: 'grapheme', maxLength: 12 });
  const escaped = fc.oneof(text, fc.constantFrom('\\', '"', '\n', 'a\\nb', '\\\\"\n,}{='));
  const help = fc.oneof(escaped).map((words) => `H${words.replaceAll('\r', '')}.`);
  const labels = fc.dictionary(
    tail.map((t) => `l${t}`),
    escaped,
    { maxKeys: 4 },
  );
  const at = fc.option(fc.integer({ min: 0, max: 4e12 }), { nil: undefined });
  const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(NaN, Infinity, -Infinity));
  const family = fc.record({
    name,
    help,
    unit: fc.option(fc.constantFrom('seconds', 'bytes'), { nil: null }),
    kind: fc.oneof(
      fc.record({ type: fc.constantFrom('counter', 'gauge', 'untyped'), value: number }),
      fc.record({ type: fc.constant('histogram'), value: anyHistogram() }),
      fc.record({ type: fc.constant('summary'), value: anySummary() }),
    ),
    members: fc.uniqueArray(fc.record({ labels, at }), {
      minLength: 1,
      maxLength: 3,
      selector: (member) => JSON.stringify(Object.entries(member.labels).toSorted()),
    }),
  });
  return fc
    .uniqueArray(family, { maxLength: 4, selector: (one) => one.name })
    .map((families) =>
      families.flatMap(({ kind, members, ...common }) =>
        members.map((member) => ({ ...common, ...kind, ...member, service: 'svc' }) as Exposed),
      ),
    );
}

const zeroOf = (value: number) => (Object.is(value, -0) ? 0 : value);

const anyHistogram = () =>
  fc
    .record({
      bounds: fc.uniqueArray(fc.double({ noNaN: true, noDefaultInfinity: true }).map(zeroOf), {
        maxLength: 5,
      }),
      own: fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 }),
      sum: fc.double(),
    })
    .map(({ bounds, own, sum }) => {
      let held = 0;
      const le = [...bounds.toSorted((a, b) => a - b), Infinity];
      const buckets = le.map((bound, i) => ({ le: bound, count: (held += own[i] ?? 0) }));
      return distributionOf({ buckets, sum });
    });

const anySummary = () =>
  fc.record({
    le: fc.constant([]),
    counts: fc.constant([]),
    count: fc.nat(),
    sum: fc.double(),
    quantiles: fc.constantFrom(
      [],
      [[0.5, 1]],
      [
        [0.5, NaN],
        [0.99, 2.5],
      ],
    ),
  });
