import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProblemCode, PROBLEMS } from '../../edge/contract/problem.ts';
import { type Edge, problemOf, startEdge } from './harness.ts';
import { accepted, metricsUrl, push, QUICK } from './metrics-harness.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge(QUICK);
});
afterAll(() => edge[Symbol.asyncDispose]());

describe('what is refused', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const TEXT_TYPE = { 'content-type': 'text/plain' };
  it.each<[string, Record<string, string>, string, ProblemCode]>([
    ['text that is not JSON', JSON_TYPE, '{"a":', 'invalid_json'],
    ['no metrics', JSON_TYPE, '{"service_name":"a"}', 'validation_failed'],
    ['an unknown field', JSON_TYPE, '{"service_name":"a","metrics":[],"x":1}', 'validation_failed'],
    ['an OTLP body of another form', JSON_TYPE, '{"resourceMetrics":{}}', 'validation_failed'],
    ['another type', { 'content-type': 'application/xml' }, 'x', 'unsupported_media_type'],
    [
      'protobuf of something else',
      { 'content-type': 'application/x-protobuf' },
      'x',
      'validation_failed',
    ],
    [
      'another packing',
      { ...TEXT_TYPE, 'content-encoding': 'br' },
      'x 1',
      'unsupported_media_type',
    ],
    ['bytes that are no gzip', { ...TEXT_TYPE, 'content-encoding': 'gzip' }, 'x 1', 'body_cut_off'],
    ['more than 5 MiB', TEXT_TYPE, 'x 1\n'.repeat(1_400_000), 'payload_too_large'],
    ['text without a service', TEXT_TYPE, 'x 1\n', 'validation_failed'],
  ])('%s', async (_, headers, body, code) => {
    const answer = await fetch(metricsUrl(edge), { method: 'POST', headers, body });

    expect(await problemOf(answer)).toMatchObject({ status: PROBLEMS[code].status, code });
  });

  it('text that is not UTF-8', async () => {
    const answer = await fetch(metricsUrl(edge), {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: Uint8Array.of(0x78, 0xff, 0x0a),
    });
    expect(await problemOf(answer)).toMatchObject({ code: 'validation_failed' });
  });

  it.each([
    ['from=yesterday', 'from'],
    ['step=0', 'step'],
    ['step=1w', 'step'],
    ['agg=mode', 'agg'],
    ['name=1x', 'name'],
    ['label=novalue', 'label'],
    ['from=2026-11-20T10:00:00Z&to=2026-11-20T09:00:00Z', 'from'],
    ['from=1&to=99999999999&step=1m', 'step'],
    ['name=depth&agg=p99', 'agg'],
    ['colour=red', 'colour'],
  ])('the query %s', async (query, parameter) => {
    await accepted(push(edge, 'asked', [{ name: 'depth', type: 'gauge', value: 3 }]));

    const problem = await problemOf(await fetch(metricsUrl(edge, `/asked?${query}`)));

    expect(problem).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] });
  });

  it('a service that reported nothing', async () => {
    const problem = await problemOf(await fetch(metricsUrl(edge, '/nobody')));
    expect(problem).toMatchObject({ code: 'service_not_found', status: 404 });
  });
});
