import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Preview } from '../../edge/alerts/contract/alert-preview.ts';
import { RuleRecord } from '../../edge/alerts/contract/alert-rule.ts';
import { QueryAnswer, QueryError } from '../../edge/promql/endpoints.ts';
import { type AlertClient, alertClient, FAST_ALERTS, WAIT } from './alert-client.ts';
import { type Edge, postJson, startEdge } from './harness.ts';
import { accepted, iso, MINUTE_MS, push, QUICK } from './metrics-harness.ts';
import { parseQuery } from './promql-grammar.ts';
import { shopSamples } from './shop-samples.ts';

let edge: Edge;
let alerts: AlertClient;
/** A whole minute that is over, from which on all samples lie. */
const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS;
const at = (minute: number) => start + minute * MINUTE_MS;

beforeAll(async () => {
  edge = await startEdge({ vars: { ...QUICK.vars, ...FAST_ALERTS } });
  alerts = alertClient(edge.monitoring);
  const samples = shopSamples(at);
  expect((await accepted(push(edge, 'shop', samples))).rejected).toBe(0);
  const other = { name: 'shop_stock', type: 'counter', value: 7, timestamp: iso(at(10)) };
  expect((await accepted(push(edge, 'depot', [other]))).rejected).toBe(0);
});
afterAll(() => edge[Symbol.asyncDispose]());

const ask = (path: string, query: Record<string, string>, base = edge.monitoring) =>
  fetch(new URL(`/api/v1/${path}?${new URLSearchParams(query)}`, base));

/** The result of a query at the tenth minute: its series and values. */
async function valuesOf(query: string): Promise<Record<string, number>> {
  const answer = await ask('query', { query, time: String(at(10) / 1000) });
  const body: unknown = await answer.json();
  expect(answer.status, JSON.stringify(body)).toBe(200);
  const { data } = QueryAnswer.parse(body);
  if (data.resultType !== 'vector') throw new TypeError(data.resultType);
  return Object.fromEntries(
    data.result.map(({ metric, value }) => [
      Object.entries(metric)
        .filter(([name]) => name !== 'service')
        .map(([name, text]) => `${name}=${text}`)
        .join(),
      Number(value[1]),
    ]),
  );
}

describe('a query at one time', () => {
  it.each<[string, Record<string, number>]>([
    [
      'sum by (kind) (rate(shop_orders_total[5m]))',
      { 'kind=book': expect.closeTo(1.1, 9), 'kind=toy': 2 },
    ],
    [
      'sum without (status, service) (increase(shop_orders_total[5m]))',
      { 'kind=book': 330, 'kind=toy': 600 },
    ],
    ['topk(1, sum by (kind) (rate(shop_orders_total[5m])))', { 'kind=toy': 2 }],
    [
      'shop_orders_total{status="2xx"} and on (kind) shop_orders_total{status=~"5.."}',
      { '__name__=shop_orders_total,kind=book,status=2xx': 600 },
    ],
    [
      'shop_orders_total unless on (kind) shop_orders_total{status=~"5.."}',
      { '__name__=shop_orders_total,kind=toy,status=2xx': 1200 },
    ],
    ['sum(shop_orders_total - shop_orders_total offset 4m)', { '': 4 * 186 }],
    ['absent(shop_orders_total{kind="tea"})', { 'kind=tea': 1 }],
    ['absent(shop_orders_total)', {}],
    ['histogram_quantile(0.5, sum by (le) (rate(shop_seconds_bucket[5m])))', { '': 1 }],
    ['histogram_quantile(0.75, rate(shop_seconds_bucket[5m]))', { '': 2 }],
    ['increase(shop_seconds_sum[5m]) / increase(shop_seconds_count[5m])', { '': 1.25 }],
    ['shop_seconds_bucket{le="2"}', { '__name__=shop_seconds_bucket,le=2': 30 }],
    ['shop_calls{quantile="0.5"}', { '__name__=shop_calls,quantile=0.5': 0.25 }],
    ['max_over_time(shop_stock{service="shop"}[5m])', { 'kind=book': 10 }],
    ['count_over_time(shop_stock{service="shop"}[5m])', { 'kind=book': 5 }],
    // One name, two types: both are there.
    ['shop_stock', { '__name__=shop_stock,kind=book': 10, '__name__=shop_stock': 7 }],
    ['sum(shop_stock)', { '': 17 }],
  ])('gives what Prometheus would: %s', async (query, expected) => {
    expect(await valuesOf(query)).toEqual(expected);
  });

  it('may be posted as a form, and sent through the gateway', async () => {
    const form = new URLSearchParams({ query: 'vector(1) + 1', time: '2026-11-20T10:00:00Z' });
    const url = new URL('/monitoring/api/v1/query', edge.gateway);

    const answer = await fetch(url, { method: 'POST', body: form });

    expect(await answer.json()).toEqual({
      status: 'success',
      data: { resultType: 'vector', result: [{ metric: {}, value: [1_795_168_800, '2'] }] },
    });
    const scalar = await (await ask('query', { query: '1 / 0', time: '1' })).json();
    expect(scalar).toMatchObject({ data: { resultType: 'scalar', result: [1, '+Inf'] } });
  });
});

describe('a query over a range', () => {
  it('gives its values at each step', async () => {
    const query = 'sum(shop_orders_total) > 1000';
    const range = { start: iso(at(4)), end: iso(at(8)), step: '1m' };

    const answer = QueryAnswer.parse(await (await ask('query_range', { query, ...range })).json());

    const values = [6, 7, 8].map((minute) => [at(minute) / 1000, String(minute * 186)]);
    expect(answer.data).toEqual({ resultType: 'matrix', result: [{ metric: {}, values }] });
  });

  it('is read by minutes and quarters once that is all that is left', async () => {
    const query = { query: 'count_over_time(shop_stock[7d])', step: '1d' };
    const range = { start: iso(start - 20 * 86_400_000), end: iso(start) };

    expect((await ask('query_range', { ...query, ...range })).status).toBe(200);
  });
});

describe('a query that cannot be answered', () => {
  const hour = { start: '2026-11-20T10:00:00Z', end: '2026-11-20T11:00:00Z' };
  it.each<[string, Record<string, string>, number, string]>([
    ['query', {}, 400, 'query'],
    [
      'query',
      { query: 'sum(' },
      400,
      'query: expected a metric, a function, a number or (, got the end, at character 5',
    ],
    [
      'query',
      { query: 'irate(x[5m])' },
      400,
      'query: the function irate is not supported, at character 1',
    ],
    [
      'query',
      { query: 'x[5m]' },
      400,
      'query: a range is put into a function such as rate(…), at character 1',
    ],
    ['query', { query: 'x', time: 'now' }, 400, 'time'],
    ['query', { query: 'x', step: '1' }, 400, 'step: unknown name'],
    [
      'query_range',
      { query: 'x', ...hour, step: '0' },
      400,
      'step: expected at least 1 s, got 0 ms',
    ],
    [
      'query_range',
      { query: 'x', ...hour, step: '1' },
      400,
      'step: expected at least 3s for at most 1500 steps, got 1s',
    ],
    [
      'query_range',
      { query: 'x', start: hour.end, end: hour.start, step: '60' },
      400,
      'end: expected no time before',
    ],
    [
      'query',
      { query: 'shop_orders_total / on (kind) shop_orders_total' },
      422,
      'several series of the right side match one',
    ],
    [
      'query',
      { query: 'avg_over_time(shop_seconds_count[5m])' },
      422,
      'avg_over_time is not available for the components of a histogram',
    ],
  ])('%s %j is told as Prometheus tells it', async (path, query, status, error) => {
    const time: Record<string, string> =
      path === 'query' && !('time' in query) ? { time: String(at(10) / 1000) } : {};
    const answer = await ask(path, { ...time, ...query });

    const body = QueryError.parse(await answer.json());
    expect([answer.status, body.errorType]).toEqual([
      status,
      status === 400 ? 'bad_data' : 'execution',
    ]);
    expect(body.error).toContain(error);
  });

  it.each(['query', 'query_range'])('and is posted to %s gets the same response', async (path) => {
    const range = { start: String(at(9) / 1000), end: String(at(10) / 1000), step: '60' };
    const when = path === 'query' ? { time: String(at(10) / 1000) } : range;
    const post = async (body: string | URLSearchParams) => {
      const answer = await fetch(new URL(`/api/v1/${path}`, edge.monitoring), {
        method: 'POST',
        body,
      });
      return [answer.status, QueryError.parse(await answer.json()).code];
    };
    const form = (query: string) => new URLSearchParams({ query, ...when });

    expect(await post(form('sum('))).toEqual([400, 'invalid_parameter']);
    const several = 'shop_orders_total / on (kind) shop_orders_total';
    expect(await post(form(several))).toEqual([422, 'validation_failed']);
    expect(await post('query=1')).toEqual([415, 'unsupported_media_type']);
    expect(await post(form(`x{a="${'b'.repeat(17_000)}"}`))).toEqual([413, 'payload_too_large']);
  });

  it('is refused where it would read too many series or values', async () => {
    const metrics = Array.from({ length: 1001 }, (_, i) => ({
      ...{ name: 'wide', type: 'gauge', value: i, labels: { i: String(i) } },
    }));
    await accepted(push(edge, 'wide', metrics));
    const now = { time: String(Date.now() / 1000) };

    const wide = QueryError.parse(
      await (await ask('query', { query: 'sum(wide)', ...now })).json(),
    );
    expect(wide.error).toContain(
      'wide has 1001 series here, and the query may read 1000 more at 1 times',
    );
    const some = 'sum(wide{i=~"1.."})';
    const range = { start: iso(Date.now() - 1400_000), end: iso(Date.now()), step: '1' };
    const long = await ask('query_range', { query: some, ...range });
    expect([long.status, QueryError.parse(await long.json()).error]).toEqual([
      422,
      expect.stringContaining(
        'wide has 1001 series here, and the query may read 214 more at 1401 times',
      ),
    ]);
    const preview = await postJson(new URL('/alerts/preview', edge.monitoring), {
      expr: 'wide > 5',
      step_s: 60,
    });
    expect([preview.status, await preview.text()]).toEqual([
      422,
      expect.stringContaining('wide has 1001 series here, and a preview reads at most 1000'),
    ]);
  });
});

describe('a rule of any query', () => {
  const expr = 'door_depth > 10 unless on (pool) door_closed == 1';

  it('fires for each series that it gives, and is written as it came', async () => {
    await alerts.measure('door_depth', 12, { pool: 'a' });
    await alerts.measure('door_depth', 13, { pool: 'b' });
    await alerts.measure('door_closed', 1, { pool: 'b' });
    const rule = RuleRecord.parse(
      await alerts.addRule({ id: 'open-queues', name: 'OpenQueues', expr }),
    );

    expect(rule).toMatchObject({ condition: null, expr });
    const pools = async () =>
      (await alerts.alerts()).flatMap(({ rule_id, labels, value }) =>
        rule_id === rule.id ? [[labels['pool'], labels['__name__'], value]] : [],
      );
    await expect.poll(pools, WAIT).toEqual([['a', undefined, 12]]);
    await alerts.measure('door_closed', 0, { pool: 'b' });
    await expect.poll(async () => (await pools()).length, WAIT).toBe(2);
    const text = await (await fetch(new URL('/alerts/rules.yaml', edge.monitoring))).text();
    const file = parse(text) as { groups: { rules: { alert: string; expr: string }[] }[] };
    expect(file.groups[0]?.rules.find(({ alert }) => alert === 'OpenQueues')?.expr).toBe(expr);
  });

  it('is exported as a query by the grammar of Prometheus', async () => {
    await alerts.addRule({ name: 'AnyQuery', expr: 'topk(3, up offset 5m) or absent(up)' });

    const text = await (await fetch(new URL('/alerts/rules.yaml', edge.monitoring))).text();
    const { groups } = parse(text) as { groups: { rules: { alert: string; expr: string }[] }[] };
    const rules = groups.flatMap((group) => group.rules);

    expect(rules.map(({ alert }) => alert)).toContain('AnyQuery');
    for (const { expr: query } of rules) expect(() => parseQuery(query), query).not.toThrow();
  });

  it('is tried on the past, with the number that it compares with', async () => {
    const preview = async (tried: string) => {
      const range = { from: iso(at(0)), to: iso(at(10)), step_s: 60 };
      const answer = await postJson(new URL('/alerts/preview', edge.monitoring), {
        expr: tried,
        ...range,
      });
      return Preview.parse(await answer.json());
    };

    const compared = await preview('topk(1, shop_stock{service="shop"}) > 7');
    expect(compared).toMatchObject({ op: '>', threshold: 7, firings: 1 });
    expect(compared.series[0]?.points).toHaveLength(11);
    expect(compared.series[0]?.spans).toMatchObject([
      { state: 'firing', from: iso(at(8)), to: null },
    ]);
    const gone = await preview('shop_stock{service="shop"} unless shop_stock > 3');
    expect(gone).toMatchObject({ op: null, threshold: null });
    expect(gone.series[0]?.spans).toMatchObject([
      { state: 'firing', from: iso(at(0)), to: iso(at(4)) },
    ]);
  });

  it.each([
    ['irate(x[5m]) > 1', 'the function irate is not supported, at character 1'],
    ['x > 1 and y >', 'got the end, at character 14'],
    ['1 + 1', 'a condition gives series, got a number or a range'],
    ['rate(x[9d]) > 1', 'the range 9d, expected more than 0 and at most 7d, at character 8'],
  ])('is refused where it is none: %s', async (wrong, reason) => {
    const answer = await postJson(new URL('/alerts/rules', edge.monitoring), {
      name: 'X',
      expr: wrong,
    });

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      errors: [{ pointer: '/expr', detail: expect.stringContaining(reason) }],
    });
  });
});
