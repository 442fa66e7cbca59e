import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertEndpoints } from '../../edge/alerts/endpoints.ts';
import type { Delivery } from '../../edge/alerts/contract/alert-receiver.ts';
import { AlertNotification } from '../../edge/alerts/contract/alert.ts';
import { callEndpoint } from '../../edge/contract/client.ts';
import { type AlertClient, alertClient, FAST_ALERTS, overTen, WAIT } from './alert-client.ts';
import { isSigned, startWebhook, type WebhookServer } from './alert-webhook.ts';
import { closedAddress } from './upstream.ts';
import { type Edge, postJson, startEdge } from './harness.ts';

let edge: Edge;
let webhook: WebhookServer;
let client: AlertClient;
beforeAll(async () => {
  edge = await startEdge({ vars: FAST_ALERTS });
  webhook = await startWebhook();
  client = alertClient(edge.monitoring);
});
afterAll(async () => {
  await webhook[Symbol.asyncDispose]();
  await edge[Symbol.asyncDispose]();
});

function expectStates(ruleId: string, states: readonly string[]): Promise<void> {
  return expect.poll(() => client.states(ruleId), WAIT).toEqual(states);
}
const receivedOf = (name: string) =>
  webhook.received.filter(({ body }) => body.includes(`"alertname":"${name}"`));

/** The latest notification of a receiver. */
async function deliveryTo(id: string): Promise<Delivery | undefined> {
  const { body } = await callEndpoint(client.http, alertEndpoints.listReceivers, {});
  return body.receivers.find((receiver) => receiver.id === id)?.deliveries[0];
}

describe('an alert', () => {
  it('fires, is sent with a signature, resolves, and is sent again', async () => {
    const receiver = await client.addReceiver({
      ...{ id: 'hook', name: 'Hook', url: `${webhook.url}/in?channel=1` },
      ...{ group_wait_s: 0, group_interval_s: 1 },
    });
    await client.addRule({
      ...overTen('queue_depth'),
      severity: 'critical',
      labels: { team: 'core' },
      annotations: { summary: '{{ $labels.queue }} holds {{ $value }}' },
      receivers: ['hook'],
    });
    await client.measure('queue_depth', 50, { queue: 'in' });
    await expectStates('queue_depth', ['firing']);
    await expect.poll(() => receivedOf('queue_depth').length, WAIT).toBe(1);
    const [alert] = await client.alerts({ filter: ['alertname="queue_depth"'] });

    expect(alert).toMatchObject({
      name: 'queue_depth',
      severity: 'critical',
      service_name: 'demo',
      status: { state: 'firing', silencedBy: [], inhibitedBy: [] },
      labels: { alertname: 'queue_depth', service: 'demo', queue: 'in', team: 'core' },
      annotations: { summary: 'in holds 50', description: '', runbook_url: '' },
      endsAt: null,
      value: 50,
      rule_id: 'queue_depth',
      receivers: ['hook'],
    });

    await client.measure('queue_depth', 1, { queue: 'in' });
    await expectStates('queue_depth', ['resolved']);
    await expect.poll(() => receivedOf('queue_depth').length, WAIT).toBe(2);
    const told = receivedOf('queue_depth');

    expect(told.map(({ event }) => event)).toEqual(['alert.firing', 'alert.resolved']);
    expect(told.map((one) => isSigned(one, receiver.secret))).toEqual([true, true]);
    expect(told.map((one) => isSigned({ ...one, body: `${one.body} ` }, receiver.secret))).toEqual([
      false,
      false,
    ]);
    const [, over] = told.map(({ body }) => AlertNotification.parse(JSON.parse(body)));
    expect(over).toMatchObject({
      ...{ id: told[1]?.id, type: 'alert.resolved', subject: 'queue_depth' },
      data: {
        receiver: { id: 'hook', name: 'Hook' },
        group_labels: { alertname: 'queue_depth' },
        alerts: [{ fingerprint: alert?.fingerprint, status: { state: 'resolved' } }],
      },
    });
  });

  it('is pending until its condition has held for long enough', async () => {
    await client.addRule({ ...overTen('slow_burn'), for_s: 3600 });
    await client.measure('slow_burn', 11);
    await expectStates('slow_burn', ['pending']);

    await client.measure('slow_burn', 9);
    await expectStates('slow_burn', []);
    const { transitions } = (
      await callEndpoint(client.http, alertEndpoints.listTransitions, {
        query: { rule_id: 'slow_burn' },
      })
    ).body;
    expect(transitions.map(({ from, to }) => [from, to])).toEqual([
      ['pending', 'resolved'],
      [null, 'pending'],
    ]);
  });

  it('goes on while it is silenced, and is shown by what', async () => {
    await client.addRule(overTen('noisy'));
    await client.measure('noisy', 11);
    await expectStates('noisy', ['firing']);
    const [before] = await client.alerts({ filter: ['alertname=noisy'] });
    const matchers = [{ name: 'alertname', value: 'noisy' }];

    const silence = await client.addSilence({ matchers, duration_s: 3600, comment: 'known' });
    expect(silence).toMatchObject({ state: 'active', created_by: 'local', comment: 'known' });
    const [silenced] = await client.alerts({ filter: ['alertname=noisy'] });
    expect(silenced).toMatchObject({
      startsAt: before?.startsAt,
      status: { state: 'suppressed', silencedBy: [silence.id] },
    });
    expect(await client.alerts({ filter: ['alertname=noisy'], silenced: 'false' })).toEqual([]);

    const params = { id: silence.id };
    const expired = await callEndpoint(client.http, alertEndpoints.expireSilence, { params });
    expect(expired.body.state).toBe('expired');
    await expectStates('noisy', ['firing']);
    const history = await callEndpoint(client.http, alertEndpoints.listTransitions, {
      query: { rule_id: 'noisy' },
    });
    expect(history.body.transitions.map(({ to }) => to)).toEqual([
      'firing',
      'suppressed',
      'firing',
    ]);
  });

  it('is inhibited by one that says so, with equal labels', async () => {
    await client.addRule({
      ...overTen('outage'),
      inhibits: [{ matchers: [{ name: 'alertname', value: 'symptom' }], equal: ['zone'] }],
    });
    await client.addRule(overTen('symptom'));
    await client.measure('symptom', 11, { zone: 'a' });
    await client.measure('symptom', 11, { zone: 'b' });
    await expectStates('symptom', ['firing', 'firing']);
    await client.measure('outage', 11, { zone: 'a' });
    await expectStates('outage', ['firing']);

    const [source] = await client.alerts({ filter: ['alertname=outage'] });
    const inhibitedBy = async (zone: string) =>
      (await client.alerts({ filter: ['alertname=symptom', `zone=${zone}`] }))[0]?.status;
    expect(await inhibitedBy('a')).toMatchObject({
      state: 'suppressed',
      inhibitedBy: [source?.fingerprint],
    });
    expect(await inhibitedBy('b')).toMatchObject({ state: 'firing', inhibitedBy: [] });
    expect(await client.alerts({ filter: ['alertname=symptom'], inhibited: 'false' })).toHaveLength(
      1,
    );
  });

  it('resolves when its rule goes', async () => {
    await client.addRule(overTen('gone'));
    await client.measure('gone', 11);
    await expectStates('gone', ['firing']);

    await callEndpoint(client.http, alertEndpoints.deleteRule, { params: { id: 'gone' } });

    expect(await client.states('gone')).toEqual(['resolved']);
  });
});

describe('a delivery', () => {
  it('is tried again under its id until it is taken, and recorded', async () => {
    webhook.answerWith(500, 503);
    const url = `${webhook.url}/flaky`;
    const { id } = await client.addReceiver({ id: 'flaky', name: 'Flaky', url });
    await callEndpoint(client.http, alertEndpoints.testReceiver, { params: { id } });
    const delivery = () => deliveryTo(id);
    await expect.poll(async () => (await delivery())?.status, WAIT).toBe('delivered');

    expect(await delivery()).toMatchObject({ attempts: 3, http_status: 204, error: null });
    expect(new Set(receivedOf('Test').map((one) => one.id)).size).toBe(1);
    expect(receivedOf('Test')).toHaveLength(3);
  });

  it('waits for a receiver where nothing listens, and says why', async () => {
    const url = await closedAddress();
    const { id } = await client.addReceiver({ id: 'down', name: 'Down', url });
    await callEndpoint(client.http, alertEndpoints.testReceiver, { params: { id } });
    const delivery = () => deliveryTo(id);
    await expect.poll(async () => (await delivery())?.attempts, WAIT).toBeGreaterThan(1);

    expect(await delivery()).toMatchObject({ status: 'waiting', http_status: null });
    expect((await delivery())?.error).toMatch(/./);
  });

  it('is given up where the receiver refuses it', async () => {
    webhook.answerWith(410);
    const { id } = await client.addReceiver({ id: 'closed', name: 'Closed', url: webhook.url });
    await callEndpoint(client.http, alertEndpoints.testReceiver, { params: { id } });
    await expect.poll(async () => (await deliveryTo(id))?.status, WAIT).toBe('failed');

    expect(await deliveryTo(id)).toMatchObject({ attempts: 1, http_status: 410 });
  });
});

describe('the past', () => {
  it('shows when a rule would have fired', async () => {
    await client.measure('past_load', 5);
    await client.measure('past_load', 50);
    const from = new Date(Date.now() - 60_000).toISOString();
    const preview = async () => {
      const { body } = await callEndpoint(client.http, alertEndpoints.previewRule, {
        body: { expr: 'max_over_time(past_load[10s]) > 10', from, step_s: 1 },
      });
      return body;
    };
    await expect.poll(async () => (await preview()).firings, WAIT).toBe(1);

    const { series, expr, threshold } = await preview();
    expect({ expr, threshold }).toEqual({
      expr: 'max_over_time(past_load[10s]) > 10',
      threshold: 10,
    });
    expect(series[0]?.labels).toEqual({ service: 'demo' });
    expect(series[0]?.points.at(-1)?.[1]).toBe(50);
    expect(series[0]?.spans).toMatchObject([{ state: 'firing' }]);
  });
});

describe('the shipped rules', () => {
  it('see a service that fails, and one that is slow', async () => {
    const push = (secondsAgo: number, total: number) =>
      postJson(new URL('/metrics', edge.monitoring), {
        service_name: 'shop',
        timestamp: new Date(Date.now() - secondsAgo * 1000).toISOString(),
        metrics: [
          { ...requests, labels: { status: '2xx' }, value: total * 4 },
          { ...requests, labels: { status: '5xx' }, value: total },
          { ...durations, buckets: slow(total), sum: total * 3, count: total },
        ],
      });
    expect((await push(60, 100)).status).toBe(202);
    expect((await push(1, 200)).status).toBe(202);

    // Both wait for their conditions to hold for minutes.
    await expectStates('high-error-rate', ['pending']);
    await expectStates('slow-requests', ['pending']);
    const alerts = await client.alerts({ service: 'shop' });
    expect(alerts.map(({ name, value }) => [name, value])).toEqual([
      ['HighErrorRate', expect.closeTo(0.2, 5)],
      ['SlowRequests', expect.closeTo(4.96, 5)],
    ]);
    expect(alerts[0]?.annotations.description).toContain('20% of the requests to shop failed');
  });
});

const requests = { name: 'http_requests_total', type: 'counter' };
const durations = { name: 'http_request_duration_seconds', type: 'histogram' };
/** Every observation lies between one and five seconds. */
const slow = (count: number) => [
  { le: 1, count: 0 },
  { le: 5, count },
  { le: '+Inf', count },
];
