import { connect } from 'mqtt';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventsNotification } from '../../edge/alerts/contract/alert.ts';
import { joinBrain } from '../../edge/discovery/contract/brain-node.ts';
import { mqttLine } from '../../edge/discovery/contract/message-line.ts';
import { brokerUrl, nodeOptions } from '../../edge/discovery/contract/node-connection.ts';
import { PlatformEventList } from '../../edge/events/endpoints.ts';
import type { PlatformEvent } from '../../edge/events/contract/platform-event.ts';
import { createGeoClient } from '../../edge/geo/contract/client.ts';
import { openLogStream } from '../../edge/logs/contract/log-stream.ts';
import { alertClient, FAST_ALERTS, overTen, WAIT } from './alert-client.ts';
import { isSigned, startWebhook } from './alert-webhook.ts';
import { readEventsOf } from './event-world.ts';
import { type Edge, postJson, problemOf, registerModel, startEdge } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { httpTo, listenTo, streamAt, ticketFor } from './log-listener.ts';
import { aDigest, trainingClient } from './training-client.ts';
import { upgrade } from './upgrade.ts';
import { ofRegion } from './geo-params.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-events-'));
const options = { stateDir, vars: { ...FAST_ALERTS, METRICS_FLUSH_MS: 50 } };

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge(options);
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  rmSync(stateDir, { recursive: true });
});

async function listed(query = ''): Promise<PlatformEventList> {
  const answer = await fetch(new URL(`/events${query}`, edge.gateway));
  expect(answer.status).toBe(200);
  return PlatformEventList.parse(await answer.json());
}

const pointTo = (model: string, version: string) =>
  fetch(`${model}/aliases/production`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version }),
  });

describe('the stream of events', () => {
  it('reports jobs, models, alerts, regions and nodes, in one order', async () => {
    await using reader = readEventsOf(edge);
    const geo = createGeoClient({ base: edge.gateway.origin });
    const training = trainingClient(edge.training);
    const alerts = alertClient(edge.monitoring);

    const { job_id: jobId } = await training.submit();
    const trainer = await training.announce();
    const lease = await training.lease(trainer.trainer_id, 5);
    if (!lease) throw new Error('no lease');
    await training.beat(lease);
    const files = [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }];
    await training.commit(lease, 10, { files });
    await pointTo(await registerModel(edge.registry, 'told'), '1.0.0');
    await geo.executeFailover({
      from_region: 'ap-northeast-1',
      to_region: 'us-east-1',
      reason: 'a drill',
      triggered_by: 'test',
    });
    await geo.setRegionStatus({
      ...ofRegion('eu-west-1'),
      body: { status: 'maintenance', reason: 'new racks' },
    });
    const where = { gateway: edge.gateway, namespace: 'told', region: 'tokyo' };
    const client = connect(brokerUrl(where), nodeOptions('visual-1'));
    const presence = joinBrain({
      line: mqttLine(client),
      node: { nodeId: 'visual-1', moduleType: 'visual', host: 'here' },
    });
    await alerts.addRule(overTen('heat'));
    await alerts.measure('heat', 11);

    const to = (name: string) => (event: PlatformEvent) => event.data['to'] === name;
    await reader.next('node.status', to('active'));
    await presence.leave();
    await client.endAsync();
    await reader.next('alert.firing');
    await alerts.measure('heat', 1);
    const said = [
      await reader.next('job.status', to('queued')),
      await reader.next('job.status', to('running')),
      await reader.next('job.checkpoint'),
      await reader.next('model.registered'),
      await reader.next('model.alias'),
      await reader.next('failover.executed'),
      await reader.next('region.status', to('maintenance')),
      await reader.next('node.status', to('inactive')),
      await reader.next('alert.resolved'),
    ];
    expect(said.map(({ subject }) => subject)).toEqual([
      ...[jobId, jobId, jobId],
      ...['told', 'told', 'ap-northeast-1', 'eu-west-1', 'visual-1', 'heat'],
    ]);
    expect(said[4]?.data).toMatchObject({ alias: 'production', from: null, to: '1.0.0' });
    expect(said[7]?.data).toMatchObject({ module_type: 'visual', region_id: 'tokyo' });
    const numbers = reader.read.map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(reader.read.map(({ id }) => id)).size).toBe(reader.read.length);
    // The services have them under the same ids.
    const { events } = await geo.geoEvents();
    expect(events.map(({ id }) => id)).toContain(said[5]?.id);
  });

  it('lists stored events by type, in pages, or from the end', async () => {
    const first = await listed('?type=model.registered&type=model.alias&limit=1');
    const [event] = first.events;
    const second = await listed(`?type=model.registered&type=model.alias&after=${event?.seq}`);
    const { events: latest } = await listed('?type=alert.firing&type=alert.resolved&tail=1');

    expect([event?.type, first.has_more]).toEqual(['model.registered', true]);
    expect(second.events.map(({ type }) => type)).toEqual(['model.alias']);
    expect(latest.map(({ type }) => type)).toEqual(['alert.resolved']);
    const odd = await fetch(new URL('/events?type=job.gone', edge.gateway));
    expect((await problemOf(odd)).code).toBe('invalid_parameter');
  });

  it('goes on after the last event when the platform was killed and came back', async () => {
    const before = await registerModel(edge.registry, 'before');
    await expect
      .poll(async () => (await listed('?type=model.registered&tail=1')).events[0]?.subject, WAIT)
      .toBe('before');
    const [last] = (await listed('?tail=1')).events;
    // An event acknowledged just before a crash is delivered after the restart.
    await pointTo(before, '1.0.0');
    await edge[Symbol.asyncDispose]();
    edge = await startEdge(options);
    await pointTo(`${edge.registry.origin}/models/told`, '1.0.0');
    await registerModel(edge.registry, 'after');

    await using reader = readEventsOf(edge, {
      after: last?.seq ?? 0,
      types: ['model.alias', 'model.registered'],
    });
    await reader.next('model.registered', ({ subject }) => subject === 'after');

    const said = reader.read.map(({ type, subject }) => [type, subject]);
    expect(said).toEqual([
      ['model.alias', 'before'],
      ['model.registered', 'after'],
    ]);
  });
});

describe('the socket of the log', () => {
  it('carries events between the messages, on request', async () => {
    const asked = await listenTo(edge, { events: 'model.registered' });
    const other = await listenTo(edge);
    await postJson(new URL('/distributed_brain/publish_log', edge.gateway), { message: 'first' });
    await registerModel(edge.registry, 'socket');
    const event = await asked.next('model.registered');
    await postJson(new URL('/distributed_brain/publish_log', edge.gateway), { message: 'last' });

    const last = await asked.next('log', ({ message }) => message === 'last');
    await other.next('log', ({ message }) => message === 'last');
    const numbers = asked.frames.flatMap((frame) =>
      'seq' in frame && frame.type !== 'hello' ? [frame.seq] : [],
    );

    expect(event).toMatchObject({ subject: 'socket', data: { model_id: 'socket' } });
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(last.seq).toBeGreaterThan(event.seq);
    expect(other.frames.map(({ type }) => type)).not.toContain('model.registered');
    for (const { socket } of [asked, other]) socket.close();
  });

  it('has them for who comes later, in their place', async () => {
    const events: PlatformEvent[] = [];
    const stream = openLogStream({
      http: httpTo(edge),
      filter: { events: ['model.registered'] },
      tail: 1000,
      take: () => {},
      takeEvents: (taken) => void events.push(...taken),
    });
    await expect.poll(() => events.at(-1)?.subject, WAIT).toBe('socket');
    stream.close();

    expect(events.map(({ subject }) => subject).slice(-2)).toEqual(['after', 'socket']);
    expect(stream.position()?.seq).toBeGreaterThanOrEqual(events.at(-1)?.seq ?? Infinity);
  });
});

describe('a webhook', () => {
  it('receives the events it subscribed to, signed, and again after a failure', async () => {
    await using webhook = await startWebhook();
    webhook.answerWith(503);
    const receiver = await alertClient(edge.monitoring).addReceiver({
      ...{ name: 'Models', url: webhook.url, events: ['model.registered'] },
    });
    await pointTo(await registerModel(edge.registry, 'hooked'), '1.0.0');
    await expect.poll(() => webhook.received.length, WAIT).toBe(2);

    const [failed, told] = webhook.received;
    expect([failed?.id, failed?.body]).toEqual([told?.id, told?.body]);
    expect(told && isSigned(told, receiver.secret)).toBe(true);
    expect(told?.event).toBe('events');
    const { data } = EventsNotification.parse(JSON.parse(told?.body ?? ''));
    expect(data.events.map(({ subject }) => subject)).toEqual(['hooked']);
  });
});

describe('the scopes of a caller', () => {
  let guarded: GuardedEdge;
  beforeAll(async () => {
    guarded = await startGuardedEdge();
  });
  afterAll(() => guarded[Symbol.asyncDispose]());

  it('decide which events he sees', async () => {
    const { key } = await guarded.keyFor(['registry:read', 'logs:read']);
    const { key: none } = await guarded.keyFor(['infer']);
    const pageOf = (asker: string, query = '') =>
      send(new URL(`/events${query}`, guarded.gateway), { key: asker });
    await using reader = readEventsOf({ gateway: guarded.gateway, key }, { after: 0 });
    await send(new URL('/api/geo/failover', guarded.gateway), {
      key: guarded.admin,
      method: 'POST',
      json: { from_region: 'ap-northeast-1', reason: 'a drill', triggered_by: 'test' },
    });
    await send(new URL('/registry/models/register', guarded.gateway), {
      key: guarded.admin,
      method: 'POST',
      json: { model_id: 'm', name: 'M', version: '1.0.0', model_type: 'language', framework: 'x' },
    });
    await reader.next('model.registered');

    const seen = PlatformEventList.parse(await (await pageOf(key)).json());
    expect(seen.events.map(({ type }) => type)).toEqual(['model.registered']);
    await expect
      .poll(async () => {
        const { events } = PlatformEventList.parse(await (await pageOf(guarded.admin)).json());
        return events.map(({ type }) => type).toSorted();
      }, WAIT)
      .toEqual(['failover.executed', 'model.registered']);
    expect(reader.read.map(({ type }) => type)).toEqual(['model.registered']);
    expect((await problemOf(await pageOf(key, '?type=job.status'))).detail).toContain('train');
    expect((await problemOf(await pageOf(none))).code).toBe('forbidden');
    expect((await send(new URL('/events', guarded.gateway))).status).toBe(401);
    const asked = { gateway: guarded.gateway, key };
    const ticket = await ticketFor(asked);
    const socket = streamAt(asked, { events: 'job.status', ticket });
    socket.protocol = 'http:';
    expect((await upgrade(socket, {})).status).toBe(403);
  });

  it('end a stream with the key', async () => {
    const { key, key_id: id } = await guarded.keyFor(['registry:read']);
    await using reader = readEventsOf({ gateway: guarded.gateway, key }, { after: 0 });
    await reader.next('model.registered');
    await send(new URL(`/api/keys/${id}`, guarded.gateway), {
      key: guarded.admin,
      method: 'DELETE',
    });
    await send(new URL('/registry/models/register', guarded.gateway), {
      key: guarded.admin,
      method: 'POST',
      json: { model_id: 'n', name: 'N', version: '1.0.0', model_type: 'language', framework: 'x' },
    });

    await expect(
      reader.next('model.registered', ({ subject }) => subject === 'n'),
    ).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});
