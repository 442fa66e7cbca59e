import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../edge/promql/evaluate.ts';
import { PROMQL_LIMITS, PromqlError } from '../../edge/promql/limits.ts';
import { parsePromql } from '../../edge/promql/parse.ts';
import type { SelectQuery, SeriesSource } from '../../edge/promql/source.ts';
import { answerAt, type StoredSeries, windowed } from './promql-oracle.ts';
import { anyStored, anyTree, textOf } from './promql-trees.ts';

const MINUTE = 60_000;
const FUNCTIONS = {
  rate: 'rate',
  increase: 'increase',
  avg: 'avg_over_time',
  count: 'count_over_time',
};

/** A store whose times are whole minutes. */
const storeOf = (stored: readonly StoredSeries[]): SeriesSource => ({
  async select({ metric, labels, fn, from, steps, stepMs }: SelectQuery) {
    const named = stored.filter(({ labels: own }) => own['__name__'] === metric);
    const found = named.filter(({ labels: own }) =>
      Object.entries(labels).every(([name, value]) => own[name] === value),
    );
    const series = found.map(({ labels: own, values }) => ({
      labels: Object.fromEntries(Object.entries(own).filter(([name]) => name !== '__name__')),
      values: Array.from({ length: steps }, (_unused, i) => {
        const value = values[(from + i * stepMs) / MINUTE];
        const name = FUNCTIONS[fn as keyof typeof FUNCTIONS];
        return value == null ? undefined : name ? windowed(name, value) : value;
      }),
    }));
    return { kind: 'selected', series };
  },
});

const TIMES = { from: 2 * MINUTE, steps: 4, stepMs: MINUTE };

/** The result of a query, time by time; 'refused' where its data does not fit it. */
async function answered(query: string, stored: readonly StoredSeries[]) {
  const expr = parsePromql(query);
  try {
    const value = await evaluate(expr, storeOf(stored), TIMES);
    if (value.type === 'scalar') return value.values;
    return Array.from({ length: TIMES.steps }, (_, i) =>
      value.series
        .flatMap(({ name, labels, values }) =>
          values[i] === undefined
            ? []
            : [{ labels: { ...(name !== null && { __name__: name }), ...labels }, v: values[i] }],
        )
        .map(shown)
        .toSorted(),
    );
  } catch (error) {
    if (error instanceof PromqlError) return 'refused';
    throw error;
  }
}

const shown = ({ labels, v }: { labels: object; v: number }) =>
  `${JSON.stringify(Object.entries(labels).toSorted())} ${Number.isFinite(v) ? Number(v.toPrecision(9)) + 0 : v}`;

describe('a query', () => {
  it('comes at every time to what the rules say of that moment', async () => {
    let answers = 0;
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(anyTree, anyStored, async (tree, stored) => {
        let expected: unknown;
        try {
          expected = Array.from({ length: TIMES.steps }, (_, i) => {
            const answer = answerAt(tree, stored, i + 2);
            return typeof answer === 'number' ? answer : answer.map(shown).toSorted();
          });
          answers += 1;
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
          expected = 'refused';
          refusals += 1;
        }
        expect(await answered(textOf(tree), stored), textOf(tree)).toEqual(expected);
      }),
      { seed: 16, numRuns: 3000 },
    );
    // Both kinds are met often.
    expect(answers).toBeGreaterThan(2000);
    expect(refusals).toBeGreaterThan(10);
  });

  it.each<[string, number]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['7 % 4 - -1', 4],
    ['10 - 4 - 3', 3],
    ['1 < bool 2 == bool 1', 1],
    ['1 + 1 > bool 1 * 2', 0],
    ['0x10 + 1e1 + .5', 26.5],
    ['Inf # and so on\n', Infinity],
    ['1 atan2 1', Math.PI / 4],
    ['scalar(vector(3))', 3],
    ['time()', 120],
  ])('binds its operators as Prometheus does: %s', async (query, expected) => {
    expect((await answered(query, []))[0]).toBeCloseTo(expected, 12);
  });

  it.each([
    ['"', 'the text " has no end, at character 1'],
    ['', 'got the end, at character 1'],
    ['up +', 'got the end, at character 5'],
    ['up up', 'expected an operator or the end, got up, at character 4'],
    ['sum(', 'got the end, at character 5'],
    ['irate(x[5m])', 'the function irate is not supported, at character 1'],
    ['1 + delta(x[5m])', 'the function delta is not supported, at character 5'],
    ['count_values("a", x)', 'the function count_values is not supported, at character 1'],
    ['rate(x)', 'rate takes a range such as x[5m], got one value for each series, at character 6'],
    ['abs(x[5m])', 'abs takes one value for each series, got a range'],
    ['x[5m] + 1', '+ takes one value for each series, got a range'],
    ['x[5]', 'expected a range such as [5m], got 5, at character 3'],
    ['x[8d]', 'the range 8d, expected more than 0 and at most 7d, at character 3'],
    ['x offset 31d', 'the offset 31d, expected more than 0 and at most 30d, at character 10'],
    ['rate(x[5m:1m])', 'subqueries are not supported, at character 10'],
    ['sum(x)[5m]', 'subqueries are not supported, at character 7'],
    ['x @ 5', '@ is not supported, at character 3'],
    ['{a="b"}', 'expected the name of one metric'],
    ['{__name__=~"a.*"}', 'a selector names one metric'],
    ['x{a=~"("}', 'expected a regular expression'],
    ['x{a="b" c="d"}', 'expected ,, got c, at character 9'],
    ['x{a==1}', 'expected =, !=, =~ or !~, got ==, at character 4'],
    ['1 == 2', '== between two numbers needs bool, at character 3'],
    ['1 + bool 2', 'bool goes with a comparison, not with +'],
    ['x and 1', 'and takes one value for each series, got a number, at character 7'],
    ['x + on(a) 1', 'on and ignoring apply to series'],
    ['x + group_left y', 'group_left follows on or ignoring'],
    ['topk(x)', 'topk takes 2 arguments, got 1, at character 1'],
    ['round(x, y)', 'round takes a number, got one value for each series, at character 10'],
    ['x ; y', 'unexpected ; y, at character 3'],
    [
      `${'('.repeat(40)}1${')'.repeat(40)}`,
      'more than 32 operators and parentheses within each other',
    ],
    ['1' + '+1'.repeat(40), 'more than 32 operators and parentheses within each other'],
    ['-'.repeat(50) + '1', 'more than 32 operators'],
    ['x or '.repeat(16) + 'x', 'more than 16 selectors, at character 81'],
    [
      `x{a="${'b'.repeat(PROMQL_LIMITS.characters)}"}`,
      'the query has 2055 characters, expected at most 2048',
    ],
  ])('that is not supported is refused where it is: %s', (query, reason) => {
    expect(() => parsePromql(query)).toThrow(PromqlError);
    expect(() => parsePromql(query)).toThrow(reason);
  });

  it('of any text is read or refused, never a fault', () => {
    const word = fc.constantFrom(
      ...['x', 'sum', 'rate', '(', ')', '[', ']', '5m', '{', '}', '"a"', '=', '=~', ',', '1'],
      ...['+', '-', '^', '==', 'by', 'on', 'and', 'offset', 'bool', 'group_left', '@', ':', ' '],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
    );
    const faultOf = (query: string): PromqlError | undefined => {
      try {
        parsePromql(query);
        return undefined;
      } catch (error) {
        if (error instanceof PromqlError) return error;
        throw error;
      }
    };
    fc.assert(
      fc.property(text, (query) => {
        const at = faultOf(query)?.at ?? 1;
        expect(at >= 1 && at <= query.length + 1).toBe(true);
      }),
      { seed: 3, numRuns: 3000 },
    );
  });

  it('takes the quantile of buckets as Prometheus does', async () => {
    // Prometheus's own test of histogram_quantile: buckets of testhistogram{start="positive"}.
    const bucket = (le: string, count: number) => ({
      labels: { __name__: 't_bucket', le },
      values: Array.from({ length: 6 }, () => count),
    });
    const stored = [bucket('0.1', 5), bucket('0.2', 7), bucket('1e0', 10), bucket('+Inf', 10)];
    const at = async (quantile: string) =>
      (await answered(`histogram_quantile(${quantile}, t_bucket)`, stored))[0];

    expect(await at('0')).toEqual(['[] 0']);
    expect(await at('0.5')).toEqual(['[] 0.1']);
    expect(await at('0.6')).toEqual(['[] 0.15']);
    expect(await at('0.9')).toEqual([`[] ${Number((0.2 + 0.8 * (2 / 3)).toPrecision(9))}`]);
    expect(await at('-1')).toEqual(['[] -Infinity']);
    expect(await at('2')).toEqual(['[] Infinity']);
    expect((await answered('histogram_quantile(0.5, t_bucket{le!="+Inf"})', stored))[0]).toEqual([
      '[] NaN',
    ]);
  });
});
