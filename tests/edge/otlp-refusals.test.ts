import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Trace } from '../../edge/otlp/contract/span.ts';
import { type Edge, problemOf, startEdge } from './harness.ts';
import { QUICK } from './metrics-harness.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge(QUICK);
});
afterAll(() => edge[Symbol.asyncDispose]());

const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_TYPE = { 'content-type': 'application/json' };
const send = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
) => fetch(new URL(path, edge.monitoring), { method: 'POST', headers, body });

const deep = (depth: number): unknown =>
  depth === 0 ? { stringValue: 'x' } : { arrayValue: { values: [deep(depth - 1)] } };
const nested = (depth: number) =>
  JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: deep(depth) }] }] }] });

describe('an export', () => {
  it.each(['/v1/metrics', '/v1/logs', '/v1/traces', '/metrics'])(
    'of nothing to %s is answered in the encoding it came in',
    async (path) => {
      const packed = await send(path, new Uint8Array(), PROTOBUF);
      expect([packed.status, packed.headers.get('content-type')]).toEqual([
        200,
        'application/x-protobuf',
      ]);
      expect(await packed.bytes()).toHaveLength(0);
      const plain = path === '/metrics' ? '{"resourceMetrics":[]}' : '{}';
      const json = await send(path, plain, JSON_TYPE);
      expect([json.status, await json.json()]).toEqual([200, { partialSuccess: {} }]);
    },
  );

  it('in part is a success that says how much was not taken, and why', async () => {
    const metric = { name: 'x', gauge: { dataPoints: [{ asDouble: 1 }, {}, {}] } };
    const none = { name: 'y', gauge: { dataPoints: 7 }, sum: { dataPoints: [{}, {}] } };
    const scopeMetrics = [{ metrics: [metric, none] }];

    const answer = await send(
      '/v1/metrics',
      JSON.stringify({ resourceMetrics: [{ scopeMetrics }] }),
      JSON_TYPE,
    );

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      partialSuccess: {
        rejectedDataPoints: '4',
        errorMessage: expect.stringMatching(/dataPoints\/1: a point needs .* \(and 3 more\)$/),
      },
    });
  });

  it('in part is reported in protobuf where it came so', async () => {
    // resource_logs { scope_logs { log_records { body { string_value: "U+FFFD" } } log_records { body "a" } } }
    const bad = [0x12, 0x07, 0x2a, 0x05, 0x0a, 0x03, 0xef, 0xbf, 0xbd];
    const good = [0x12, 0x05, 0x2a, 0x03, 0x0a, 0x01, 0x61];
    const scope = [...bad, ...good];
    const resource = [0x12, scope.length, ...scope];

    const answer = await send(
      '/v1/logs',
      Uint8Array.of(0x0a, resource.length, ...resource),
      PROTOBUF,
    );

    expect(answer.status).toBe(200);
    const bytes = await answer.bytes();
    // partial_success { rejected_log_records: 1, error_message: … }
    expect([bytes[0], bytes[2], bytes[3], bytes[4]]).toEqual([0x0a, 0x08, 1, 0x12]);
    expect(new TextDecoder().decode(bytes)).toContain('U+FFFD');
  });

  it.each([
    [
      '/v1/traces',
      {
        resourceSpans: [
          { scopeSpans: [{ spans: [{ traceId: '0'.repeat(32), spanId: '1'.repeat(16) }] }] },
        ],
      },
      'all zeros',
    ],
    [
      '/v1/traces',
      { resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'x', spanId: '1'.repeat(16) }] }] }] },
      '32 hexadecimal digits',
    ],
  ])('to %s of what cannot be read loses that record: %j', async (path, body, why) => {
    const answer = await send(path, JSON.stringify(body), JSON_TYPE);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      partialSuccess: { errorMessage: expect.stringContaining(why) },
    });
  });

  const PATHS = ['/v1/metrics', '/v1/logs', '/v1/traces'];
  const packed = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  const large = new Uint8Array(gzipSync(' '.repeat(6 * 1024 * 1024)));
  it.each([
    ['what is not JSON', { headers: JSON_TYPE, body: '{' }, 400, 'invalid_json'],
    ['more than 100 levels', { headers: JSON_TYPE, body: nested(40) }, 400, 'invalid_json'],
    [
      'text',
      { headers: { 'content-type': 'text/plain' }, body: 'x' },
      415,
      'unsupported_media_type',
    ],
    [
      'another packing',
      { headers: { ...JSON_TYPE, 'content-encoding': 'br' }, body: '{}' },
      415,
      'unsupported_media_type',
    ],
    ['bytes that are no gzip', { headers: packed, body: '{}' }, 400, 'body_cut_off'],
    [
      'more than 5 MiB once it is unpacked',
      { headers: packed, body: large },
      413,
      'payload_too_large',
    ],
  ])('of %s is refused with google.rpc.Status', async (_, { body, headers }, status, code) => {
    const urls = [edge.monitoring, edge.gateway].flatMap((base) =>
      PATHS.map((path) => new URL(path, base)),
    );
    for (const url of urls) {
      const answer = await fetch(url, { method: 'POST', headers, body });

      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        status,
        'application/json',
      ]);
      expect(await answer.json()).toMatchObject({ code: 3, details: [{ metadata: { code } }] });
    }
  });

  it.each(['Metrics', 'Logs', 'Spans'])(
    'of another form is refused: resource%s',
    async (signal) => {
      const path = `/v1/${signal === 'Spans' ? 'traces' : signal.toLowerCase()}`;
      const body = JSON.stringify({ [`resource${signal}`]: 1 });

      for (const base of [edge.monitoring, edge.gateway]) {
        const init = { method: 'POST', headers: JSON_TYPE, body };
        const answer = await fetch(new URL(path, base), init);

        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({
          message: expect.stringContaining(`/resource${signal}`),
          details: [{ reason: 'VALIDATION_FAILED' }],
        });
      }
    },
  );

  it('of bytes that are no message is refused in protobuf', async () => {
    for (const path of PATHS) {
      const answer = await send(path, Uint8Array.of(0x0a, 0x7f), PROTOBUF);

      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        400,
        'application/x-protobuf',
      ]);
      expect(await answer.text()).toContain('The body cannot be read as protobuf: ');
    }
  });

  it('nests in protobuf no deeper than is read', async () => {
    let value = [0x0a, 0x01, 0x78];
    const within = (tag: number) => {
      const { length } = value;
      const size = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
      value = [tag, ...size, ...value];
    };
    for (let depth = 0; depth < 40; depth++) {
      within(0x0a);
      within(0x2a);
    }
    for (const tag of [0x2a, 0x12, 0x12, 0x0a]) within(tag);

    const answer = await send('/v1/logs', Uint8Array.from(value), PROTOBUF);

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('more than 32 messages within each other');
  });

  it('of more values than are read is refused before they are', async () => {
    // 1.2 million empty messages, two bytes each.
    const body = new Uint8Array(2_400_000);
    for (let i = 0; i < body.length; i += 2) body[i] = 0x0a;

    expect((await send('/v1/metrics', body, PROTOBUF)).status).toBe(413);
  });
});

describe('a trace', () => {
  it('that nobody sent is not found, and an invalid id is refused', async () => {
    for (const base of [edge.monitoring, edge.gateway]) {
      const at = (id: string) => fetch(new URL(`/v1/traces/${id}`, base));

      expect(await problemOf(await at('1'.repeat(32)))).toMatchObject({ code: 'trace_not_found' });
      expect(await problemOf(await at('xyz'))).toMatchObject({
        code: 'invalid_parameter',
        errors: [{ parameter: 'trace_id' }],
      });
    }
  });

  it('holds a bounded number of spans, a span that came twice once', async () => {
    const traceId = 'ab'.repeat(16);
    const spans = Array.from({ length: 2001 }, (_, i) => ({
      traceId,
      spanId: (i + 1).toString(16).padStart(16, '0'),
      name: `s${i}`,
      startTimeUnixNano: String(1_795_168_800_000_000_000n + BigInt(i)),
      endTimeUnixNano: 1_795_168_800_000_500_000,
    }));
    const sendSpans = async () => {
      const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
      return (await send('/v1/traces', JSON.stringify(body), JSON_TYPE)).json();
    };

    const rejected = { partialSuccess: { rejectedSpans: '1' } };
    expect(await sendSpans()).toMatchObject(rejected);
    expect(await sendSpans()).toMatchObject(rejected);
    const answer = await fetch(new URL(`/v1/traces/${traceId}`, edge.monitoring));
    const trace = Trace.parse(await answer.json());
    expect([trace.total, trace.spans[0]?.name, trace.spans.at(-1)?.name]).toEqual([
      2000,
      's0',
      's1999',
    ]);
    expect(trace.spans[1]?.start_time).toBe('2026-11-20T10:00:00.000000001Z');
  });
});
