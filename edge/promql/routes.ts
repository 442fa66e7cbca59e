import type * as z from 'zod/mini';
import { parseQuery } from '../contract/parse.ts';
import {
  InstantQuery,
  promqlEndpoints,
  type QueryAnswer,
  type QueryData,
  RangeQuery,
} from './endpoints.ts';
import type { Env } from '../env.ts';
import { chunksOf, mediaTypeOf, readBytes, unsupported } from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, routesOf } from '../http/route.ts';
import { numberText } from '../monitoring/exposition.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { type Expr, typeOf } from './ast.ts';
import { evaluate, type Times } from './evaluate.ts';
import { PROMQL_LIMITS, PromqlError } from './limits.ts';
import { parsePromql } from './parse.ts';
import type { Series, Value } from './vectors.ts';

type Endpoints = typeof promqlEndpoints;
type Posted = CallOf<Env, Endpoints['postInstant']>;
type Reply = { readonly status: 200; readonly body: QueryAnswer };

/** /api/v1/query and /api/v1/query_range, as clients of Prometheus ask them. */
export const promqlRoutes = routesOf<Env, Endpoints>(promqlEndpoints, {
  queryInstant: ({ env, query }) => instant(env, query),
  queryRange: ({ env, query }) => range(env, query),
  postInstant: async (call) => instant(call.env, await formOf(InstantQuery, call)),
  postRange: async (call) => range(call.env, await formOf(RangeQuery, call)),
});

async function formOf<S extends z.ZodMiniType>(
  schema: S,
  { request }: Posted,
): Promise<z.output<S>> {
  const type = mediaTypeOf(request.headers);
  const [expected] = promqlEndpoints.postInstant.body.media;
  if (type !== expected) throw unsupported(type, expected);
  const bytes = await readBytes(chunksOf(request.body), promqlEndpoints.postInstant.maxBodyBytes);
  return parseQuery(schema, new URL(`?${new TextDecoder().decode(bytes)}`, 'http://form.invalid/'));
}

async function instant(env: Env, { query, time }: z.output<typeof InstantQuery>): Promise<Reply> {
  const times = { from: time ?? Date.now(), steps: 1, stepMs: 1000 };
  const value = await evaluated(env, query, times);
  return answer(instantData(value, times.from / 1000));
}

async function range(env: Env, query: z.output<typeof RangeQuery>): Promise<Reply> {
  const { start, end, step } = query;
  if (end < start) throw invalid('end', `expected no time before ${iso(start)}, got ${iso(end)}`);
  if (step < 1000) throw invalid('step', `expected at least 1 s, got ${step} ms`);
  const steps = Math.floor((end - start) / step) + 1;
  if (steps > PROMQL_LIMITS.steps) {
    const least = Math.ceil((end - start) / (PROMQL_LIMITS.steps - 1) / 1000);
    const detail = `expected at least ${least}s for at most ${PROMQL_LIMITS.steps} steps, got ${step / 1000}s`;
    throw invalid('step', detail);
  }
  const times = { from: start, steps, stepMs: step };
  const value = await evaluated(env, query.query, times);
  const all =
    value.type === 'vector' ? value.series : [{ name: null, labels: {}, values: value.values }];
  const result = all.map((series) => ({
    metric: metricOf(series),
    values: pointsOf(series, times),
  }));
  return answer({ resultType: 'matrix', result });
}

/** @throws Problem invalid_parameter for what is not read, validation_failed for what is not evaluated */
async function evaluated(env: Env, query: string, times: Times): Promise<Value> {
  const expr = refusing('invalid_parameter', () => read(query));
  try {
    return await evaluate(expr, monitoringOf(env), times);
  } catch (error) {
    throw refused('validation_failed', error);
  }
}

function read(query: string): Expr {
  const expr = parsePromql(query);
  if (typeOf(expr) !== 'range') return expr;
  throw new PromqlError('a range is put into a function such as rate(…)', expr.at);
}

function refusing<T>(code: 'invalid_parameter', run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw refused(code, error);
  }
}

function refused(code: 'invalid_parameter' | 'validation_failed', error: unknown): unknown {
  if (!(error instanceof PromqlError)) return error;
  const place = code === 'invalid_parameter' ? { parameter: 'query' } : { pointer: '/query' };
  return new Problem(code, `query: ${error.message}`, {
    errors: [{ ...place, code: 'invalid_value', detail: error.message }],
  });
}

const invalid = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}`, {
    errors: [{ parameter, code: 'invalid_value', detail }],
  });

const iso = (at: number): string => new Date(at).toISOString();

const answer = (data: QueryData): Reply => ({ status: 200, body: { status: 'success', data } });

const metricOf = ({ name, labels }: Series): Record<string, string> => ({
  ...(name !== null && { __name__: name }),
  ...labels,
});

function pointsOf({ values }: Series, { from, stepMs }: Times): [number, string][] {
  return values.flatMap((value, i): [number, string][] =>
    value === undefined ? [] : [[(from + i * stepMs) / 1000, numberText(value)]],
  );
}

function instantData(value: Value, at: number): QueryData {
  if (value.type === 'scalar') {
    return { resultType: 'scalar', result: [at, numberText(value.values[0] ?? NaN)] };
  }
  const result = value.series.flatMap((series) => {
    const [first] = series.values;
    if (first === undefined) return [];
    return [{ metric: metricOf(series), value: [at, numberText(first)] as [number, string] }];
  });
  return { resultType: 'vector', result };
}
