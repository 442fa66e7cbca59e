import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Condition, type ConditionInput } from '../../edge/alerts/contract/alert-rule.ts';
import { formatMatcher, parseMatcher } from '../../edge/alerts/contract/alert-matcher.ts';
import { compilePattern } from '../../edge/alerts/contract/alert-regex.ts';
import { compares, questionAt, valuesOf } from '../../edge/alerts/evaluate-condition.ts';
import { conditionOf, exprOf, readExpr } from '../../edge/alerts/condition-promql.ts';
import { fillTemplate } from '../../edge/alerts/labels.ts';
import { parsePromql } from '../../edge/promql/parse.ts';
import type { MetricQuery, MetricSource } from '../../edge/monitoring/query.ts';

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((text) => !KEYWORDS.has(text));
const KEYWORDS = new Set([
  'by',
  'on',
  'or',
  'and',
  'bool',
  'inf',
  'nan',
  'sum',
  'avg',
  'min',
  'max',
]);
const matcher = fc.record({
  name,
  op: fc.constantFrom('=', '!=', '=~', '!~'),
  value: fc.oneof(fc.constantFrom('', '5..', 'a|b', 'x+'), fc.stringMatching(/^[a-z "é\n/]{0,8}$/)),
});
const equal = fc.record({ name, op: fc.constant('='), value: fc.string({ maxLength: 8 }) });
const base = {
  metric: name,
  window_s: fc.integer({ min: 1, max: 86_400 }),
  op: fc.constantFrom('>', '>=', '<', '<=', '==', '!='),
  // JSON has no negative zero.
  threshold: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
};
const by = fc.uniqueArray(name, { maxLength: 3 });
const plain = fc.constantFrom('last', 'avg', 'min', 'max', 'sum', 'rate', 'increase');
const conditions = fc
  .oneof(
    fc.record({ ...base, agg: plain, matchers: fc.array(matcher, { maxLength: 3 }) }),
    fc.record({ ...base, agg: plain, matchers: fc.array(matcher, { maxLength: 3 }), by }),
    fc.record({
      ...base,
      ...{ agg: plain, matchers: fc.array(matcher, { maxLength: 3 }), by },
      divided_by: fc.record({ metric: name, matchers: fc.array(matcher, { maxLength: 2 }) }),
    }),
    fc.record({
      ...base,
      agg: fc.constantFrom('p50', 'p90', 'p95', 'p99'),
      matchers: fc.array(equal, { maxLength: 2 }),
      by: by.filter((names) => !names.includes('le')),
    }),
    fc.record({ ...base, agg: fc.constant('absent'), matchers: fc.array(equal, { maxLength: 2 }) }),
  )
  .map((condition) => Condition.parse(condition));

describe('a condition', () => {
  it('is read from PromQL as it was written', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        const written = exprOf(condition);
        expect(conditionOf(parsePromql(written))).toEqual(condition);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it.each<[string, ConditionInput]>([
    ['up == 0', { metric: 'up', agg: 'last', op: '==', threshold: 0 }],
    [
      'absent(up{job="a"})',
      { metric: 'up', agg: 'absent', matchers: [{ name: 'job', value: 'a' }] },
    ],
    [
      'sum(rate(x{s=~"5.."}[1m30s])) by (a, b) / sum(rate(x[90s])) by (b, a) >= .5',
      {
        metric: 'x',
        agg: 'rate',
        window_s: 90,
        matchers: [{ name: 's', op: '=~', value: '5..' }],
        by: ['a', 'b'],
        divided_by: { metric: 'x' },
        op: '>=',
        threshold: 0.5,
      },
    ],
    [
      'histogram_quantile(0.95, sum by (le) (rate(d_bucket[5m]))) > 1e-2',
      { metric: 'd', agg: 'p95', by: [], threshold: 0.01 },
    ],
    [
      '(max by (a) (max_over_time(x[1d]))) < -1',
      { metric: 'x', agg: 'max', window_s: 86_400, by: ['a'], op: '<', threshold: -1 },
    ],
  ])('is understood as people write it: %s', (expr, condition) => {
    expect(conditionOf(parsePromql(expr))).toEqual(Condition.parse(condition));
  });

  it.each([
    'x',
    'x > y',
    'x > 1 and y > 2',
    'x > bool 1',
    'rate(x[5m] offset 1h) > 1',
    'avg(rate(x[5m])) > 1',
    'sum without (a) (rate(x[5m])) > 1',
    'histogram_quantile(0.75, rate(x_bucket[5m])) > 1',
    'histogram_quantile(0.9, sum by (a) (rate(x_bucket[5m]))) > 1',
    'rate(x[5m]) / rate(y[1m]) > 1',
    'rate(x[5m]) / rate(y[5m]) > 1',
    'sum by (a) (rate(x[5m])) / on (a) sum by (a) (rate(y[5m])) > 1',
    'rate(x[6d]) > 1',
  ])('stays a query where data cannot express it: %s', (expr) => {
    expect(conditionOf(parsePromql(expr))).toBeUndefined();
  });

  it.each([
    ['', 'expected a metric'],
    ['irate(x[5m]) > 1', 'the function irate is not supported'],
    ['rate(x) > 1', 'rate takes a range'],
    ['rate(x[5]) > 1', 'expected a range'],
    ['x{a=~"("} > 1', 'expected a regular expression'],
    ['x{a="b" > 1', 'expected ,'],
    ['x ; y', 'unexpected ;'],
    ['x[9d] > 1', 'the range 9d'],
    [`${'('.repeat(1000)}x > 1`, 'more than 32'],
  ])('is refused with a reason: %s', (expr, reason) => {
    expect(() => readExpr(expr)).toThrow(SyntaxError);
    expect(() => readExpr(expr)).toThrow(reason);
  });
});

describe('a matcher', () => {
  it('is read as it is written', () => {
    fc.assert(
      fc.property(matcher, (written) => {
        expect(parseMatcher(formatMatcher(written as never))).toEqual(written);
      }),
      { seed: 8 },
    );
  });

  it('takes a value without quotes and refuses what is none', () => {
    expect(parseMatcher('service=gateway')).toEqual({ name: 'service', op: '=', value: 'gateway' });
    expect(parseMatcher(' a =~ "b|c" ')).toEqual({ name: 'a', op: '=~', value: 'b|c' });
    for (const text of ['', 'a', '=b', 'a="b', 'a=~"("', '1a="b"', 'a=="b"']) {
      expect(parseMatcher(text), text).toBeUndefined();
    }
  });
});

describe('a pattern', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '[a-c]',
    String.raw`\d`,
    String.raw`\.`,
  );
  const source = fc
    .letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        atom,
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a}|${b})`),
        fc
          .tuple(tie('tree'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}'))
          .map(([a, count]) => `(?:${a})${count}`),
      ),
    }))
    .tree.map(String);

  it('matches what a regular expression of the language matches', () => {
    fc.assert(
      fc.property(source, fc.stringMatching(/^[abc1.]{0,6}$/), (pattern, text) => {
        expect(compilePattern(pattern).matches(text)).toBe(
          new RegExp(`^(?:${pattern})$`, 'u').test(text),
        );
      }),
      { seed: 9, numRuns: 2000 },
    );
  });

  it('takes time linear in the text where others take forever', () => {
    const pattern = compilePattern('(a+)+(a|aa)*b');
    expect(pattern.matches('a'.repeat(1000))).toBe(false);
    expect(pattern.matches(`${'a'.repeat(1000)}b`)).toBe(true);
  });

  it.each([
    '(',
    ')',
    '[a',
    'a**',
    '*a',
    String.raw`\b`,
    '(?=a)',
    '(?<n>a)',
    '(a)\\1',
    'a{999}',
    'a{3,1}',
    '[z-a]',
    'a\\',
    '((((a{90}){90}){90}){90})',
  ])('is refused where it is not one: %s', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(SyntaxError);
  });

  it('counts letters, not halves of them', () => {
    expect(compilePattern('.').matches('🧠')).toBe(true);
    expect(compilePattern('[あ-ん]{2}').matches('あん')).toBe(true);
  });
});

describe('the value of a condition', () => {
  const AT = 1_000_000;
  const series = [
    { labels: { service: 'a', status: '500' }, value: 1 },
    { labels: { service: 'a', status: '503' }, value: 2 },
    { labels: { service: 'a', status: '200' }, value: 7 },
    { labels: { service: 'b', status: '200' }, value: 4 },
    { labels: { service: 'c', status: '500' }, value: 0 },
    { labels: { service: 'c', status: '200' }, value: 0 },
  ];
  const asked: MetricQuery[] = [];
  const source: MetricSource = {
    evaluate: async (query) => {
      asked.push(query);
      return query.by
        ? [...Map.groupBy(series, ({ labels }) => labels.service)].map(([service, members]) => ({
            labels: { service },
            value: members.reduce((sum, { value }) => sum + value, 0),
          }))
        : series;
    },
    history: () => Promise.reject(new Error('not asked')),
    count: () => Promise.reject(new Error('not asked')),
  };
  const at = (condition: ConditionInput) =>
    valuesOf(Condition.parse(condition), questionAt(source, AT));

  it('is a ratio of groups; a group of one side only and a division by zero have none', async () => {
    const ratio = await at({
      metric: 'x',
      agg: 'rate',
      matchers: [{ name: 'status', op: '=~', value: '5..' }],
      by: ['service'],
      divided_by: { metric: 'x' },
      threshold: 0,
    });

    expect(ratio).toEqual([{ labels: { service: 'a' }, points: [[AT, 0.3]] }]);
  });

  it('queries the store for what it can look up, and filters the rest', async () => {
    const left = await at({
      metric: 'x',
      agg: 'last',
      matchers: [
        { name: 'service', value: 'a' },
        { name: 'status', op: '!=', value: '200' },
      ],
      threshold: 0,
    });

    expect(asked.at(-1)?.labels).toEqual({ service: 'a' });
    expect(left.map(({ labels }) => labels['status'])).toEqual(['500', '503']);
  });

  it('is 1 where nothing came, labelled by what was looked for', async () => {
    const matchers = [{ name: 'service', value: 'z' }];

    expect(await at({ metric: 'x', agg: 'absent', matchers })).toEqual([
      { labels: { service: 'z' }, points: [[AT, 1]] },
    ]);
    expect(await at({ metric: 'x', agg: 'absent' })).toEqual([{ labels: {}, points: [] }]);
  });

  it.each([
    ['>', false],
    ['>=', true],
    ['<', false],
    ['<=', true],
    ['==', true],
    ['!=', false],
  ] as const)('compares itself with a threshold by %s', (op, onEqual) => {
    expect(compares(1, op, 1)).toBe(onEqual);
    expect(compares(2, op, 1)).toBe(['>', '>=', '!='].includes(op));
    expect(compares(0, op, 1)).toBe(['<', '<=', '!='].includes(op));
  });
});

describe('a template', () => {
  const labels = { service: 'gateway', evil: '{{ $value }}' };

  it.each([
    ['{{ $labels.service }} fails', 'gateway fails'],
    ['{{$labels.service}} at {{  $value  }}', 'gateway at 0.1234567'],
    ['{{ $value | humanizePercentage }}', '12.35%'],
    ['{{ $value | humanizeDuration }}', '123.5ms'],
    ['{{ $value | humanize }}', '0.1235'],
    ['{{ $labels.missing }}|{{ $labels.toString }}', '|'],
    ['{{ $labels.evil }}', '{{ $value }}'],
    ['{{ range . }} {{ $labels.a.b }}', '{{ range . }} {{ $labels.a.b }}'],
  ])('%s becomes %s', (template, text) => {
    expect(fillTemplate(template, labels, 0.1234567)).toBe(text);
  });
});
