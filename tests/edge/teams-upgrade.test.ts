import { describe, expect, it } from 'vitest';
import { ACCESS_MIGRATIONS, AccessStore } from '../../edge/access/store.ts';
import { DISCOVERY_MIGRATIONS, DiscoveryStore } from '../../edge/discovery/store.ts';
import { EventStore } from '../../edge/events/store.ts';
import { GEO_MIGRATIONS, GeoStore } from '../../edge/geo/store.ts';
import { LOG_HUB_MIGRATIONS } from '../../edge/logs/schema.ts';
import { LogStore } from '../../edge/logs/store.ts';
import { MEMORY_MIGRATIONS } from '../../edge/memory/schema.ts';
import { MqttStore } from '../../edge/discovery/mqtt-store.ts';
import { SENSORS_MIGRATIONS } from '../../edge/sensors/store.ts';
import { openSql } from './sqlite.ts';

/** A database filled by the release before the migration that contains `naming`, and then upgraded. */
function upgraded(migrations: readonly string[], naming: string, rows: readonly string[]) {
  const from = migrations.findIndex((migration) => migration.includes(naming));
  return openSql([...migrations.slice(0, from), ...rows, ...migrations.slice(from)]);
}

describe('an upgrade from before there were teams', () => {
  it('gives geo:node to keys that gave evidence of regions, once, and to no other', () => {
    const scopesOf = {
      operator: ['geo:read', 'geo:admin'],
      writer: ['discovery:write'],
      node: ['infer', 'discovery:read', 'registry:read', 'logs:write'],
      plain: ['infer'],
      reader: ['infer', 'discovery:read'],
      twice: ['geo:admin', 'geo:node'],
    };
    const rows = Object.entries(scopesOf).map(
      ([id, scopes]) =>
        `INSERT INTO keys (key_id, secret_hash, name, scopes, created_at, created_by)
          VALUES ('${id}', '', '', '${JSON.stringify(scopes)}', 0, 'system')`,
    );
    const store = new AccessStore(upgraded(ACCESS_MIGRATIONS, 'geo:node', rows));

    const given = Object.fromEntries(
      Object.keys(scopesOf).map((id) => [id, store.key(id)?.scopes]),
    );
    expect(given).toEqual({
      operator: ['geo:read', 'geo:admin', 'geo:node'],
      writer: ['discovery:write', 'geo:node'],
      node: [...scopesOf.node, 'geo:node'],
      plain: ['infer'],
      reader: ['infer', 'discovery:read'],
      twice: ['geo:admin', 'geo:node'],
    });
  });

  it('misses no heartbeat of whom nobody knows, so that no region fails over for it', () => {
    const row = (id: string, isRegistered: number) =>
      `INSERT INTO nodes (node_id, region_id, endpoint, node_type, registered_at, last_seen,
        has_heartbeats, is_registered) VALUES ('${id}', 'r', 'h:1', 'gpu', 0, 0, 1, ${isRegistered})`;
    const sql = upgraded(GEO_MIGRATIONS, 'speaker', [row('found', 0), row('registered', 1)]);

    expect(new GeoStore(sql).nodes()).toMatchObject([
      { node_id: 'registered', hasHeartbeats: false, team: 'default', sender: null },
    ]);
  });

  it('keeps nodes, sessions, retained messages, sensors and the count of memories', () => {
    const session = JSON.stringify({ clientId: 'c', owner: 'key:a', expiryS: 60 });
    const discovery = upgraded(DISCOVERY_MIGRATIONS, 'is_evidence', [
      `INSERT INTO nodes VALUES ('n', '{"nodeId":"n"}')`,
      `INSERT INTO shard VALUES (1, 'brain', 'tokyo')`,
      `INSERT INTO mqtt_sessions VALUES ('c', '${session}')`,
      `INSERT INTO mqtt_retained VALUES ('t', '{"topic":"t","qos":1,"retain":true}', x'01')`,
    ]);
    const store = new DiscoveryStore(discovery);
    expect(store.shard()).toEqual({ team: 'default', namespace: 'brain', region: 'tokyo' });
    expect(store.nodes()).toEqual([
      { state: { nodeId: 'n' }, publisher: { owner: '', isEvidence: false } },
    ]);
    expect(new MqttStore(discovery).load()).toMatchObject({
      sessions: [{ clientId: 'c', owner: 'key:a' }],
      retained: [{ topic: 't', owner: '' }],
    });

    const sensors = upgraded(SENSORS_MIGRATIONS, 'ADD COLUMN team', [
      `INSERT INTO sensors (sensor_id, owner, type, registration, encoding, created_at, updated_at,
        retention_ms) VALUES ('s', 'key:a', 't', '{}', '{}', 0, 0, 1)`,
    ]);
    expect(sensors.exec('SELECT owner, team FROM sensors').toArray()).toEqual([
      { owner: 'key:a', team: 'default' },
    ]);
    const memory = upgraded(MEMORY_MIGRATIONS, 'memory_came', [
      `INSERT INTO memories (memory_id, slot, content_key, importance, created_at, valid_at)
        VALUES ('m1', 1, x'00', 0.5, 0, 0), ('m2', 2, x'01', 0.5, 0, 0)`,
    ]);
    const held = () => memory.exec('SELECT memories FROM held').one()['memories'];
    expect(held()).toBe(2);
    memory.exec(`DELETE FROM memories WHERE memory_id = 'm1'`);
    expect(held()).toBe(1);
  });

  it('has messages and events be of the default team, and those of regions of all', () => {
    const log = { type: 'log', id: 'l', seq: 1, level: 'info', source: 's' };
    const event = (seq: number, type: string) => ({ id: `e${seq}`, seq, type, data: {} });
    const line = (entry: { seq: number }, type: string | null) =>
      `INSERT INTO lines (seq, received_at, at, level, source, body, event_type)
        VALUES (${entry.seq}, 0, 0, 1, '', '${JSON.stringify(entry)}', ${type ? `'${type}'` : 'NULL'})`;
    const events = [event(2, 'job.status'), event(3, 'region.status')];
    const sql = upgraded(LOG_HUB_MIGRATIONS, 'lines_by_team', [
      line(log, null),
      ...events.map((one) => line(one, one.type)),
      ...events.map(
        (one) =>
          `INSERT INTO events VALUES (${one.seq}, '${one.id}', '${one.type}', 0, '${JSON.stringify(one)}')`,
      ),
    ]);
    const types = ['job.status', 'region.status'] as const;
    const seqs = (items: readonly { readonly seq: number }[]) => items.map(({ seq }) => seq);
    const linesFor = (team?: string) =>
      seqs(new LogStore(sql).between(0, 9, { events: types, team }, 9));
    const eventsFor = (team?: string) =>
      seqs(new EventStore(sql).page({ types, team }, 0, 9).events);

    expect([linesFor(), linesFor('default'), linesFor('audio')]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [3],
    ]);
    expect([eventsFor(), eventsFor('default'), eventsFor('audio')]).toEqual([[2, 3], [2, 3], [3]]);
    expect(new LogStore(sql).search({ limit: 9, team: 'default' }, 9).logs).toMatchObject([
      { owner: '', team: 'default' },
    ]);
  });
});
