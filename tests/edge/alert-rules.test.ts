import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ReceiverList } from '../../edge/alerts/contract/alert-receiver.ts';
import { RuleList, RuleRecord } from '../../edge/alerts/contract/alert-rule.ts';
import { SilenceList } from '../../edge/alerts/contract/alert-silence.ts';
import { ALERT_LIMITS } from '../../edge/alerts/rule.ts';
import { type AlertClient, alertClient } from './alert-client.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';

let edge: Edge;
let client: AlertClient;
beforeAll(async () => {
  edge = await startEdge({ vars: { TARGET_ALLOWLIST: ['*', 'hooks.example:8443'] } });
  client = alertClient(edge.monitoring);
});
afterAll(() => edge[Symbol.asyncDispose]());

const at = (path: string) => new URL(`/alerts${path}`, edge.monitoring);
const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(at(path), {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const rule = { name: 'Queue', expr: 'depth > 10' };

describe('the rules', () => {
  it('begin with those that are shipped', async () => {
    const { rules } = RuleList.parse(await (await fetch(at('/rules'))).json());
    const states = Object.fromEntries(rules.map(({ id, state }) => [id, state]));

    expect(states).toMatchObject({ 'high-error-rate': 'inactive', 'no-metrics': 'disabled' });
  });

  it('are made, read, replaced and removed, by their ETags', async () => {
    const made = await send('POST', '/rules', { ...rule, id: 'crud' });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe('/alerts/rules/crud');
    expect(made.headers.get('etag')).toBe('"1"');
    expect(RuleRecord.parse(await made.json())).toMatchObject({
      ...{ id: 'crud', expr: 'last_over_time(depth[5m]) > 10', for_s: 0, revision: 1 },
      condition: { metric: 'depth', agg: 'last', window_s: 300, op: '>', threshold: 10 },
    });

    const replaced = await send(
      'PUT',
      '/rules/crud',
      { ...rule, for_s: 60 },
      { 'if-match': '"1"' },
    );
    expect(replaced.headers.get('etag')).toBe('"2"');
    const stale = await send('PUT', '/rules/crud', rule, { 'if-match': '"1"' });
    expect(stale.headers.get('etag')).toBe('"2"');
    expect((await problemOf(stale)).code).toBe('precondition_failed');
    const read = await fetch(at('/rules/crud'));
    expect(await read.json()).toMatchObject({ for_s: 60, revision: 2 });
    expect(read.headers.get('etag')).toBe('"2"');

    const kept = await send('DELETE', '/rules/crud', undefined, { 'if-match': '"1"' });
    expect(kept.status).toBe(412);
    const removed = await send('DELETE', '/rules/crud', undefined, { 'if-match': '"0", "2"' });
    expect(removed.status).toBe(204);
    expect((await problemOf(await fetch(at('/rules/crud')))).code).toBe('rule_not_found');
    expect((await problemOf(await send('DELETE', '/rules/crud'))).code).toBe('rule_not_found');
    expect((await problemOf(await send('PUT', '/rules/crud', rule))).code).toBe('rule_not_found');
  });

  it('are distinguished by their ids', async () => {
    expect((await send('POST', '/rules', { ...rule, id: 'twice' })).status).toBe(201);
    const problem = await problemOf(await send('POST', '/rules', { ...rule, id: 'twice' }));
    expect(problem).toMatchObject({ code: 'already_exists' });
    expect(problem.detail).toContain('twice');
  });

  it('are exported for Prometheus', async () => {
    const answer = await fetch(at('/rules.yaml'));

    expect(answer.headers.get('content-type')).toBe('application/yaml');
    expect(parse(await answer.text())).toMatchObject({ groups: [{ name: 'spikegrid' }] });
  });

  it.each<[string, object, string]>([
    ['neither condition nor expr', { name: 'A' }, '/condition'],
    ['an expr that is none', { name: 'A', expr: 'rate(x) > 1' }, '/expr'],
    ['a field nobody knows', { ...rule, color: 'red' }, '/color'],
    ['a name that is empty', { ...rule, name: ' ' }, '/name'],
    ['a time that is none', { ...rule, for_s: -1 }, '/for_s'],
    ['a severity nobody knows', { ...rule, severity: 'fatal' }, '/severity'],
    ['a label that is reserved', { ...rule, labels: { severity: 'x' } }, '/labels'],
    [
      'a runbook that is no address',
      { ...rule, annotations: { runbook_url: 'javascript:1' } },
      '/annotations/runbook_url',
    ],
    ['a receiver that is not there', { ...rule, receivers: ['nobody'] }, '/receivers'],
    [
      'no threshold',
      { name: 'A', condition: { metric: 'x', agg: 'last' } },
      '/condition/threshold',
    ],
    [
      'a pattern that is none',
      {
        name: 'A',
        condition: {
          metric: 'x',
          agg: 'last',
          threshold: 1,
          matchers: [{ name: 'a', op: '=~', value: '(' }],
        },
      },
      '/condition/matchers/0/value',
    ],
  ])('are refused with %s', async (_, body, pointer) => {
    const problem = await problemOf(await send('POST', '/rules', body));

    expect(problem.code).toBe('validation_failed');
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
  });
});

describe('silences', () => {
  const matchers = [{ name: 'alertname', value: 'A' }];
  const past = '2020-01-01T00:00:00Z';

  it('come in pages, by their state', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    for (const extra of [{}, { starts_at: later }, { created_by: 'Ada' }]) {
      expect((await send('POST', '/silences', { matchers, duration_s: 60, ...extra })).status).toBe(
        201,
      );
    }
    const page = async (query: string) =>
      SilenceList.parse(await (await fetch(at(`/silences?${query}`))).json());

    const first = await page('limit=2');
    expect(first).toMatchObject({ total: 3, has_more: true });
    expect(first.silences[0]?.created_by).toBe('Ada');
    const second = await page(`limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect(second.silences).toHaveLength(1);
    expect((await page('state=pending')).total).toBe(1);
    expect((await page('state=active')).total).toBe(2);
    const other = await fetch(at(`/silences?state=active&cursor=${first.next_cursor}`));
    expect((await problemOf(other)).code).toBe('invalid_parameter');
  });

  it('that have not begun can be ended, and ended ones stay as they are', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await client.addSilence({ matchers, starts_at: later, duration_s: 60 });
    const first = await (await send('DELETE', `/silences/${id}`)).json();
    const second = await (await send('DELETE', `/silences/${id}`)).json();

    expect(first).toMatchObject({ state: 'expired' });
    expect(second).toEqual(first);
    expect((await problemOf(await send('DELETE', '/silences/none'))).code).toBe(
      'silence_not_found',
    );
  });

  it.each<[string, object, string]>([
    ['no matcher', { matchers: [], duration_s: 1 }, '/matchers'],
    [
      'a matcher of everything',
      { matchers: [{ name: 'a', op: '=~', value: '.*' }], duration_s: 1 },
      '/matchers',
    ],
    ['no end', { matchers }, '/ends_at'],
    ['two ends', { matchers, duration_s: 1, ends_at: '2099-01-01T00:00:00Z' }, '/ends_at'],
    ['an end that is over', { matchers, ends_at: past }, '/ends_at'],
    ['a whole life in the past', { matchers, starts_at: past, duration_s: 60 }, '/duration_s'],
  ])('are refused with %s', async (_, body, pointer) => {
    const problem = await problemOf(await send('POST', '/silences', body));

    expect(problem.code).toBe('validation_failed');
    expect(problem.errors?.[0]?.pointer).toBe(pointer);
  });
});

describe('receivers', () => {
  const url = 'https://hooks.example:8443/x';

  it('show their secret once, and stay while a rule names them', async () => {
    const made = await postJson(at('/receivers'), { id: 'kept', name: 'Kept', url });
    expect(made.status).toBe(201);
    const { secret } = (await made.json()) as { secret: string };
    expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    const listed = await (await fetch(at('/receivers'))).text();
    expect(listed).toContain('"kept"');
    expect(listed).not.toContain(secret);

    await client.addRule({ ...rule, id: 'user', receivers: ['kept'] });
    const inUse = await problemOf(await send('DELETE', '/receivers/kept'));
    expect(inUse).toMatchObject({ code: 'receiver_in_use', rules: ['user'] });
    await send('DELETE', '/rules/user');
    expect((await send('DELETE', '/receivers/kept')).status).toBe(204);
    expect((await problemOf(await send('DELETE', '/receivers/kept'))).code).toBe(
      'receiver_not_found',
    );
    expect((await problemOf(await send('POST', '/receivers/kept/test'))).code).toBe(
      'receiver_not_found',
    );
  });

  it.each([
    'http://127.0.0.1/x',
    'http://2130706433/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:8000/api/keys',
    'https://user:pass@hooks.example:8443/',
    'file:///etc/passwd',
    'not an address',
  ])('may not be at %s', async (address) => {
    const problem = await problemOf(await postJson(at('/receivers'), { name: 'X', url: address }));

    expect(problem.code).toBe('validation_failed');
    expect(problem.errors?.[0]?.pointer).toBe('/url');
  });
});

describe('the number of receivers', () => {
  it('has a bound, which a refusal names', async () => {
    const url = 'https://hooks.example:8443/';
    const add = () => postJson(at('/receivers'), { name: 'One of many', url });
    const { total } = ReceiverList.parse(await (await fetch(at('/receivers'))).json());
    const made = await Promise.all(Array.from({ length: ALERT_LIMITS.receivers - total }, add));
    expect(made.every(({ status }) => status === 201)).toBe(true);

    const problem = await problemOf(await add());

    expect(problem.code).toBe('limit_reached');
    expect(problem.detail).toContain(String(ALERT_LIMITS.receivers));
  });
});

describe('questions about alerts', () => {
  it.each([
    ['?filter=a', 'filter'],
    ['?filter=a=~"("', 'filter'],
    ['?severity=fatal', 'severity'],
    ['?active=1', 'active'],
    ['?unknown=1', 'unknown'],
    ['/history?limit=1001', 'limit'],
    ['/history?cursor=x', 'cursor'],
    ['/history?from=yesterday', 'from'],
  ])('are refused where they are wrong: %s', async (query, parameter) => {
    const problem = await problemOf(await fetch(at(query)));

    expect(problem.code).toBe('invalid_parameter');
    expect(problem.errors?.[0]?.parameter).toBe(parameter);
  });

  it.each<[object, string]>([
    [{ expr: 'x > 1', from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, '/from'],
    [
      { expr: 'x > 1', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', step_s: 1 },
      '/step_s',
    ],
    [{ expr: 'x >' }, '/expr'],
  ])('about the past are refused where they are wrong: %o', async (body, pointer) => {
    const problem = await problemOf(await postJson(at('/preview'), body));

    expect(problem.errors?.[0]?.pointer).toBe(pointer);
  });
});
