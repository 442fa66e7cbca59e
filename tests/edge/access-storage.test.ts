import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { createApiKey, formatApiKey, hashSecret } from '../../edge/access/contract/api-key.ts';
import { CreatedKey } from '../../edge/access/contract/keys.ts';
import { Ticket } from '../../edge/access/contract/session.ts';
import { startEdge } from './harness.ts';
import { send } from './keys-in-hand.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-access-'));
afterAll(() => rmSync(stateDir, { recursive: true }));

/** Every file of the state, with what is in it. */
function storedFiles(): readonly (readonly [path: string, text: string])[] {
  const entries = readdirSync(stateDir, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? [[path, readFileSync(path, 'latin1')] as const] : [];
  });
}

describe('a Worker that requires a key from everybody and was given none', () => {
  it('is not ready, and says what to type', async () => {
    await using edge = await startEdge({ vars: { AUTH_MODE: 'required' } });

    const health = await fetch(new URL('/health/ready', edge.gateway));
    const refused = await fetch(new URL('/services', edge.gateway));

    const lines =
      /"npm run -s spikegrid -- keys bootstrap".*"npx wrangler secret put BOOTSTRAP_KEY"/;
    expect([health.status, refused.status]).toEqual([503, 401]);
    expect((await health.json()) as object).toMatchObject({
      status: 'unavailable',
      checks: { access: { status: 'unavailable', detail: expect.stringMatching(lines) } },
    });
    expect(await refused.json()).toMatchObject({ detail: expect.stringMatching(lines) });
  });
});

describe('what is stored of keys, sessions and tickets', () => {
  it('holds no secret, outlives a restart, and keeps the first key revoked', async () => {
    const first = createApiKey();
    const vars = {
      AUTH_MODE: 'required',
      BOOTSTRAP_KEY: `${first.id}:${await hashSecret(first.secret)}`,
    };
    const admin = formatApiKey(first);
    const secrets = [first.secret];
    let made: CreatedKey;
    let cookie: string;
    {
      await using edge = await startEdge({ vars, stateDir });
      const at = (path: string) => new URL(path, edge.gateway);
      const json = { name: 'second', scopes: ['admin'] };
      const created = await send(at('/api/keys'), {
        ...{ key: admin, method: 'POST', json },
        headers: { 'idempotency-key': 'make-it' },
      });
      made = CreatedKey.parse(await created.json());
      const signedIn = await send(at('/api/session'), { method: 'POST', json: { key: made.key } });
      [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');
      const ticket = await send(at('/ws/tickets'), { key: made.key, method: 'POST' });
      secrets.push(made.key.split('_')[2]!, cookie.split('.')[1]!);
      secrets.push(Ticket.parse(await ticket.json()).ticket);
      await send(at(`/api/keys/${first.id}`), { key: made.key, method: 'DELETE' });
    }

    const files = storedFiles();
    // Nothing would be found either if nothing had been written.
    expect(files.some(([, text]) => text.includes(made.key_id))).toBe(true);
    for (const secret of secrets) {
      expect(files.filter(([, text]) => text.includes(secret))).toEqual([]);
    }

    await using edge = await startEdge({ vars, stateDir });
    const models = new URL('/registry/models', edge.gateway);
    expect((await send(models, { key: admin })).status).toBe(401);
    expect((await send(models, { key: made.key })).status).toBe(200);
    expect((await send(models, { headers: { cookie } })).status).toBe(200);
  });

  it('has an audit log that refuses to be changed', () => {
    const [path = ''] = storedFiles().find(([, text]) => text.includes('TABLE audit')) ?? [];
    // It was found in the database or in its write-ahead log.
    const database = new DatabaseSync(path.replace(/-wal$/, ''));

    expect(database.prepare('SELECT count(*) AS n FROM audit').get()?.['n']).toBeGreaterThan(2);
    expect(() => database.exec("UPDATE audit SET target = 'nothing'")).toThrow('never changed');
    database.close();
  });
});
