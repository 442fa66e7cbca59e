import { expect, describe, it } from 'vitest';
import type { AuditAction } from '../../edge/access/contract/audit.ts';
import { ACCESS_MIGRATIONS, AccessStore, MAX_SESSIONS } from '../../edge/access/store.ts';
import { AuditStore } from '../../edge/access/audit-store.ts';
import { openSql } from './sqlite.ts';

const START = Date.UTC(2026, 10, 20);

describe('what anybody can add to', () => {
  it('is an audit log in which failed sign-ins push out only each other', () => {
    const audit = new AuditStore(openSql(ACCESS_MIGRATIONS), 5);
    let events = 0;
    const add = (action: AuditAction) =>
      audit.add({
        event_id: `evt_${events}`,
        time: new Date(START + events++).toISOString(),
        action,
        actor: { kind: 'anonymous', id: null },
        target: 'unknown',
        detail: {},
        request_id: '',
        trace_id: '',
      });
    add('key.revoke');

    for (let i = 0; i < 20; i++) add('session.failed');

    const { events: kept } = audit.page({ limit: 100 }, Infinity);
    expect(kept.map(({ event_id }) => event_id)).toEqual([
      ...['evt_20', 'evt_19', 'evt_18', 'evt_17', 'evt_16'],
      'evt_0',
    ]);
  });

  it('is a table of sessions that keeps the latest of a key', () => {
    const store = new AccessStore(openSql(ACCESS_MIGRATIONS));
    const add = (id: string, keyId: string, expiresAt: number) =>
      store.addSession({ id, keyId, secretHash: '', expiresAt }, START);
    add('other', 'another-key', START + 1);

    for (let i = 0; i <= MAX_SESSIONS; i++) add(`s${i}`, 'key', START + 1000 + i);

    expect(store.session('s0')).toBeUndefined();
    expect(store.session('s1')).toBeDefined();
    expect(store.session(`s${MAX_SESSIONS}`)).toBeDefined();
    expect(store.session('other')).toBeDefined();
  });
});
