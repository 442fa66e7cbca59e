import * as z from 'zod/mini';
import type { Endpoint, Endpoints } from '../contract/endpoint.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** Error of a Prometheus query, with our problem code added. */
export const QueryError = z.object({
  status: z.literal('error'),
  errorType: z.enum(['bad_data', 'execution', 'not_found', 'unavailable', 'internal', 'timeout']),
  error: z.string(),
  code: z.string(),
});
export type QueryError = z.infer<typeof QueryError>;

/** Seconds since 1970 and a value as text, as JSON has no NaN. */
const Point = z.tuple([z.number(), z.string()]);
const Metric = z.record(z.string(), z.string());

export const QueryData = z.discriminatedUnion('resultType', [
  z.object({ resultType: z.literal('scalar'), result: Point }),
  z.object({
    resultType: z.literal('vector'),
    result: z.array(z.object({ metric: Metric, value: Point })),
  }),
  z.object({
    resultType: z.literal('matrix'),
    result: z.array(z.object({ metric: Metric, values: z.array(Point) })),
  }),
]);
export type QueryData = z.infer<typeof QueryData>;

/** Response to a query, as Prometheus has it. */
export const QueryAnswer = z.object({ status: z.literal('success'), data: QueryData });
export type QueryAnswer = z.infer<typeof QueryAnswer>;

const isIso = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text));
const isEpoch = (text: string) => /^\d{1,11}(\.\d{1,12})?$/.test(text);

/** Seconds since 1970 or an ISO 8601 time; parsed to milliseconds. */
const Time = z.pipe(
  z
    .string()
    .check(
      z.refine(
        (text) => isIso(text) || isEpoch(text),
        'expected seconds since 1970, or a time such as 2026-11-20T10:00:00Z',
      ),
    ),
  z.transform((text) => (isEpoch(text) ? Math.round(Number(text) * 1000) : Date.parse(text))),
);

const UNITS_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Seconds, or a duration such as `15s`; parsed to milliseconds. */
const Step = z.pipe(
  z
    .string()
    .check(
      z.regex(
        /^(?:\d{1,9}(?:\.\d{1,6})?|\d{1,9}(?:ms|[smhd]))$/,
        'expected seconds or a duration such as 15s',
      ),
    ),
  z.transform((text) => {
    const [, count = '', unit = 's'] = /^([\d.]+)(\D*)$/.exec(text) ?? [];
    const size = UNITS_MS[(unit || 's') as keyof typeof UNITS_MS];
    return Math.round(Number(count) * size);
  }),
);

const Query = z.string().check(z.minLength(1, 'expected a query in PromQL'));

/** Clients of Prometheus send these; how long a query takes is bounded anyway. */
const ignored = { timeout: z.optional(z.string()), stats: z.optional(z.string()) };

export const InstantQuery = z.strictObject({ query: Query, time: z.optional(Time), ...ignored });
export const RangeQuery = z.strictObject({
  query: Query,
  start: Time,
  end: Time,
  step: Step,
  ...ignored,
});

const asking = {
  access: 'metrics:read',
  responses: { 200: QueryAnswer },
  refusals: 'prometheus',
  problems: ['invalid_parameter', 'validation_failed'],
} as const satisfies Partial<Endpoint>;
const posted = {
  ...asking,
  method: 'POST',
  body: { media: ['application/x-www-form-urlencoded'] },
  maxBodyBytes: 16 * 1024,
} as const satisfies Partial<Endpoint>;

/** Queries over HTTP as Prometheus takes them, for its clients. */
export const promqlEndpoints = {
  queryInstant: {
    ...asking,
    method: 'GET',
    path: '/api/v1/query',
    summary: 'Evaluates a query in PromQL at one time, now where none is given.',
    query: InstantQuery,
  },
  queryRange: {
    ...asking,
    method: 'GET',
    path: '/api/v1/query_range',
    summary: 'Evaluates a query in PromQL at each step of a range.',
    query: RangeQuery,
  },
  postInstant: {
    ...posted,
    path: '/api/v1/query',
    summary: 'The same as GET, with the parameters as a form.',
  },
  postRange: {
    ...posted,
    path: '/api/v1/query_range',
    summary: 'The same as GET, with the parameters as a form.',
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const promqlDocs = () => {
  const query = 'topk(3, sum by (service) (rate(http_requests_total{status="5xx"}[5m])))';

  const instant: QueryAnswer = {
    status: 'success',
    data: {
      resultType: 'vector',
      result: [{ metric: { service: 'registry' }, value: [1_795_168_800, '0.25'] }],
    },
  };
  const range: QueryAnswer = {
    status: 'success',
    data: {
      resultType: 'matrix',
      result: [{ metric: { service: 'registry' }, values: [[1_795_168_800, '0.25']] }],
    },
  };
  const form = (values: Readonly<Record<string, string>>) => ({
    'application/x-www-form-urlencoded': Object.entries(values)
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .join('&'),
  });
  const span = { start: '2026-11-20T10:00:00Z', end: '2026-11-20T10:10:00Z', step: '60' };

  return describe(promqlEndpoints, {
    schemas: [{ QueryError, QueryData, QueryAnswer, InstantQuery, RangeQuery }],
    params: {},
    operations: {
      queryInstant: { query: { query }, answer: instant },
      queryRange: { query: { query, ...span }, answer: range },
      postInstant: { body: form({ query }), answer: instant },
      postRange: { body: form({ query, ...span }), answer: range },
    },
  });
};
