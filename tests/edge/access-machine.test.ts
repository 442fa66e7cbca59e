import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createApiKey,
  formatApiKey,
  hashSecret,
  parseApiKey,
} from '../../edge/access/contract/api-key.ts';
import {
  firstKeyOf,
  shouldRecordUse,
  judgeKey,
  judgeSession,
  keyRecordOf,
  type KeyState,
  SESSION_TTL_MS,
  sessionEnd,
} from '../../edge/access/machine.ts';

const HASH = 'a'.repeat(64);
const key: KeyState = {
  id: '0123456789ab',
  secretHash: HASH,
  name: 'test',
  team: 'default',
  scopes: ['infer'],
  createdAt: 0,
  createdBy: 'local',
  expiresAt: 1000,
  lastUsedAt: null,
  revokedAt: null,
};
const session = { id: 's', secretHash: HASH, keyId: key.id, expiresAt: 500 };
const same = (a: string, b: string) => a === b;

describe('API keys as text', () => {
  it('read back as they were written, and no two are alike', () => {
    const keys = Array.from({ length: 200 }, createApiKey);

    for (const made of keys) expect(parseApiKey(formatApiKey(made))).toEqual(made);
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(200);
  });

  it('are distinguished from every other text', () => {
    const valid = formatApiKey(createApiKey());
    fc.assert(
      fc.property(fc.nat(valid.length - 1), fc.string({ maxLength: 3 }), (at, put) => {
        const edited = valid.slice(0, at) + put + valid.slice(at + 1);
        const parsed = parseApiKey(edited);
        // A key parses exactly as written: nothing is trimmed, folded or ignored.
        const isKey = /^sg_[0-9a-hjkmnp-tv-z]{12}_[0-9a-hjkmnp-tv-z]{52}$/.test(edited);
        expect(parsed && formatApiKey(parsed)).toBe(isKey ? edited : undefined);
      }),
    );
  });

  // Letters that are mistaken for others (i, l, o, u) are not used; a line break hides at the end.
  it.each([
    '',
    'sg_',
    `sg_${'i'.repeat(12)}_${'0'.repeat(52)}`,
    `sg_${'0'.repeat(12)}_${'0'.repeat(52)}\n`,
  ])('are not %j', (text) => expect(parseApiKey(text)).toBeUndefined());

  it('are stored as SHA-256', async () => {
    // FIPS 180-4, the example "abc".
    expect(await hashSecret('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});

describe('a key', () => {
  it('holds until it expires or is revoked', () => {
    expect(judgeKey(key, HASH, same, 999).kind).toBe('valid');
    expect(judgeKey(key, HASH, same, 1000)).toEqual({ kind: 'expired', since: 1000 });
    expect(judgeKey({ ...key, revokedAt: 5 }, HASH, same, 1)).toEqual({
      kind: 'revoked',
      since: 5,
    });
  });

  it('reveals nothing about itself without its secret', () => {
    for (const state of [undefined, key, { ...key, revokedAt: 5 }]) {
      expect(judgeKey(state, 'b'.repeat(64), same, 2000)).toEqual({ kind: 'unknown' });
    }
  });

  it('is compared by the constant-time comparison, once, whether it exists or not', () => {
    for (const state of [undefined, key]) {
      const compared: string[][] = [];
      judgeKey(state, HASH, (...hashes) => compared.push(hashes) > 0, 0);

      expect(compared).toEqual([[state?.secretHash ?? '0'.repeat(64), HASH]]);
    }
  });

  it('is never shown with its hash', () => {
    expect(JSON.stringify(keyRecordOf(key, 0))).not.toContain(HASH);
  });

  it('has its use written down once a minute', () => {
    expect(shouldRecordUse(null, 0)).toBe(true);
    expect(shouldRecordUse(1000, 60_999)).toBe(false);
    expect(shouldRecordUse(1000, 61_000)).toBe(true);
  });
});

describe('a session', () => {
  it('ends with its own time, with its key, or when the key is revoked', () => {
    const judge = (changed: Partial<KeyState>, now: number) =>
      judgeSession({ session, key: { ...key, ...changed }, secretHash: HASH }, same, now).kind;

    expect(judge({}, 499)).toBe('valid');
    expect(judge({}, 500)).toBe('expired');
    expect(judge({ expiresAt: 100 }, 100)).toBe('expired');
    expect(judge({ revokedAt: 1 }, 2)).toBe('revoked');
  });

  it('is made no longer than its key', () => {
    const grant = { keyId: key.id, team: key.team, scopes: key.scopes };

    expect(sessionEnd({ ...grant, until: null }, 10)).toBe(10 + SESSION_TTL_MS);
    expect(sessionEnd({ ...grant, until: 20 }, 10)).toBe(20);
  });
});

describe('the first key', () => {
  it('may do everything, and is nobody where there is no setting', () => {
    expect(firstKeyOf('', 0)).toBeUndefined();
    expect(firstKeyOf(`${key.id}:${HASH}`, 7)).toMatchObject({ id: key.id, createdAt: 7 });
    expect(firstKeyOf(`${key.id}:${HASH}`, 7)?.scopes).toContain('test:run');
  });

  it.each(['x', `${key.id}:`, `${key.id}:${HASH}:`, formatApiKey(createApiKey())])(
    'is not made of the setting %s',
    (setting) => expect(() => firstKeyOf(setting, 0)).toThrow('BOOTSTRAP_KEY'),
  );
});
