import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditList } from '../../edge/access/contract/audit.ts';
import { CreatedKey, KeyList, KeyRecord } from '../../edge/access/contract/keys.ts';
import { createApiKey, formatApiKey } from '../../edge/access/contract/api-key.ts';
import { Session, Ticket } from '../../edge/access/contract/session.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';

let edge: GuardedEdge;
beforeAll(async () => {
  edge = await startGuardedEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const at = (path: string) => new URL(path, edge.gateway);
const asAdmin = (path: string, sending: Parameters<typeof send>[1] = {}) =>
  send(at(path), { key: edge.admin, ...sending });

describe('API keys', () => {
  it('are shown once, with their record', async () => {
    const answer = await asAdmin('/api/keys', {
      method: 'POST',
      json: { name: ' Trainer ', scopes: ['train', 'registry:write'], expires_in_s: 3600 },
    });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { key, ...record } = CreatedKey.parse(await answer.json());
    expect(key).toMatch(/^sg_[0-9a-z]{12}_[0-9a-z]{52}$/);
    expect(answer.headers.get('location')).toBe(`/api/keys/${record.key_id}`);
    expect(record).toMatchObject({ name: 'Trainer', status: 'active', last_used_at: null });
    expect(Date.parse(record.expires_at!) - Date.parse(record.created_at)).toBe(3_600_000);

    const list = await (await asAdmin('/api/keys')).text();
    expect(KeyList.parse(JSON.parse(list)).keys).toContainEqual(record);
    expect(list).not.toContain(key.split('_')[2]);
  });

  it('do what their scopes say and nothing else, also behind the gateway', async () => {
    const { key } = await edge.keyFor(['registry:read']);

    expect((await send(new URL('/models', edge.registry), { key })).status).toBe(200);
    expect((await send(at('/registry/models'), { key })).status).toBe(200);
    const refused = await send(at('/api/keys'), { key });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('scope="admin"');
    expect((await problemOf(refused)).code).toBe('forbidden');
  });

  it('with test:run are made by nobody who has it not himself', async () => {
    const json = { name: 'runner', scopes: ['infer', 'test:run'] };
    const make = (sending: Parameters<typeof send>[1], query = '') =>
      send(at(`/api/keys${query}`), { method: 'POST', json, ...sending });
    const { key } = await edge.keyFor(['admin']);
    const signedIn = await send(at('/api/session'), { method: 'POST', json: { key } });
    const { csrf_token: token } = Session.parse(await signedIn.json());
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
    const given = await send(at('/ws/tickets'), { key, method: 'POST' });
    const { ticket } = Ticket.parse(await given.json());

    const refused = [
      await make({ key }),
      await make({ headers: { cookie, 'x-spikegrid-csrf': token ?? '' } }),
    ];
    const byTicket = await make({}, `?ticket=${ticket}`);
    const { key: runner } = await edge.keyFor(['admin', 'test:run']);
    const handedOn = await make({ key: runner });

    for (const answer of refused) {
      const { code, detail } = await problemOf(answer);
      expect([code, detail]).toEqual(['forbidden', expect.stringContaining('gets test:run from')]);
    }
    expect(byTicket.ok).toBe(false);
    expect(handedOn.status).toBe(201);
    const { keys } = KeyList.parse(await (await asAdmin('/api/keys')).json());
    expect(keys.filter(({ name }) => name === 'runner')).toHaveLength(1);
  });

  it('end when they are revoked, at once where the same isolate knows them', async () => {
    const { key, key_id } = await edge.keyFor(['registry:read']);
    expect((await send(at('/registry/models'), { key })).status).toBe(200);

    const revoked = await asAdmin(`/api/keys/${key_id}`, { method: 'DELETE' });
    const again = await asAdmin(`/api/keys/${key_id}`, { method: 'DELETE' });

    const record = KeyRecord.parse(await revoked.json());
    expect(record).toMatchObject({ key_id, status: 'revoked' });
    expect(record.last_used_at).not.toBeNull();
    expect(KeyRecord.parse(await again.json())).toEqual(record);
    const refused = await send(at('/registry/models'), { key });
    expect(refused.status).toBe(401);
    expect((await problemOf(refused)).detail).toContain(`revoked at ${record.revoked_at}`);
  });

  it.each(['nothing-of-ours', '0123456789ab', '%00'])('has no key %s to revoke', async (id) => {
    const refused = await asAdmin(`/api/keys/${id}`, { method: 'DELETE' });

    // A control character is refused as a path before anything looks for a key.
    expect(['key_not_found', 'unsafe_path']).toContain((await problemOf(refused)).code);
  });

  it.each([
    [{ scopes: ['train'] }, '/name'],
    [{ name: ' ', scopes: ['train'] }, '/name'],
    [{ name: 'x', scopes: [] }, '/scopes'],
    [{ name: 'x', scopes: ['train', 'train'] }, '/scopes'],
    [{ name: 'x', scopes: ['everything'] }, '/scopes/0'],
    [{ name: 'x', scopes: ['train'], expires_in_s: 1 }, '/expires_in_s'],
    [{ name: 'x', scopes: ['train'], expires_in_s: 1e300 }, '/expires_in_s'],
    [{ name: 'x', scopes: ['train'], extra: 1 }, '/extra'],
  ])('are not made of %j', async (json, pointer) => {
    const refused = await asAdmin('/api/keys', { method: 'POST', json });

    expect((await problemOf(refused)).errors?.[0]?.pointer).toBe(pointer);
  });

  it('are listed in pages and by status', async () => {
    for (let i = 0; i < 3; i++) await edge.keyFor(['infer']);
    const first = KeyList.parse(await (await asAdmin('/api/keys?limit=2')).json());

    const rest = [];
    for (let cursor = first.next_cursor; cursor !== null;) {
      const page = KeyList.parse(
        await (await asAdmin(`/api/keys?limit=2&cursor=${encodeURIComponent(cursor)}`)).json(),
      );
      rest.push(...page.keys);
      cursor = page.next_cursor;
    }

    const ids = [...first.keys, ...rest].map(({ key_id }) => key_id);
    expect(new Set(ids).size).toBe(first.total);
    expect(rest.at(-1)?.name).toBe('bootstrap');
    const revoked = KeyList.parse(await (await asAdmin('/api/keys?status=revoked')).json());
    expect(revoked.keys.every(({ status }) => status === 'revoked')).toBe(true);
    const other = await asAdmin(`/api/keys?status=active&cursor=${first.next_cursor}`);
    expect((await problemOf(other)).errors?.[0]?.code).toBe('invalid_cursor');
  });

  it('cannot be found out: an unknown id and a wrong secret answer the same', async () => {
    const { key_id } = await edge.keyFor(['infer']);
    const other = createApiKey();

    const wrongSecret = await send(at('/services'), {
      key: formatApiKey({ id: key_id, secret: other.secret }),
    });
    const unknown = await send(at('/services'), { key: formatApiKey(other) });

    const [one, two] = [await problemOf(wrongSecret), await problemOf(unknown)];
    expect(one.detail).toBe(two.detail);
    expect(wrongSecret.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

describe('the audit log', () => {
  it('records who created and revoked a key, once each, and never its secret', async () => {
    const { key, key_id } = await edge.keyFor(['infer']);
    await asAdmin(`/api/keys/${key_id}`, { method: 'DELETE' });
    await asAdmin(`/api/keys/${key_id}`, { method: 'DELETE' });

    const text = await (await asAdmin(`/api/audit?target=${key_id}`)).text();

    const { events } = AuditList.parse(JSON.parse(text));
    expect(events.map(({ action }) => action)).toEqual(['key.revoke', 'key.create']);
    expect(events[0]?.actor).toEqual({ kind: 'key', id: edge.admin.split('_')[1] });
    expect(text).not.toContain(key.split('_')[2]);
  });

  it('begins with the first key, which nobody but the platform made', async () => {
    const query = '/api/audit?actor=system&action=key.create';
    const { events } = AuditList.parse(await (await asAdmin(query)).json());

    expect(events).toHaveLength(1);
    expect(events[0]?.target).toBe(edge.admin.split('_')[1]);
  });

  it('is read in pages and by time', async () => {
    const whole = AuditList.parse(await (await asAdmin('/api/audit?limit=100')).json()).events;
    const first = AuditList.parse(await (await asAdmin('/api/audit?limit=1')).json());
    const cursor = encodeURIComponent(first.next_cursor ?? '');
    const second = AuditList.parse(
      await (await asAdmin(`/api/audit?limit=1&cursor=${cursor}`)).json(),
    );
    const middle = whole[1]?.time ?? '';
    const before = AuditList.parse(
      await (await asAdmin(`/api/audit?limit=100&to=${middle}`)).json(),
    );

    expect([first.events[0], second.events[0]]).toEqual(whole.slice(0, 2));
    expect(before.events).toEqual(whole.filter(({ time }) => time < middle));
  });
});
