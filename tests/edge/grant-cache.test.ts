import { timingSafeEqual } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGrantCache } from '../../edge/access/grant-cache.ts';
import { type Grant, sameHash } from '../../edge/access/machine.ts';

const grant: Grant = { keyId: 'one', team: 'default', scopes: ['infer'], until: null };

describe('what an isolate remembers of keys', () => {
  it('is requested again after five seconds, and never after the key has ended', async () => {
    const cache = createGrantCache();
    await cache.remember('a', 0, async () => grant);
    await cache.remember('b', 0, async () => ({ ...grant, until: 1000 }));

    expect(cache.find('a', 4999)).toEqual(grant);
    expect(cache.find('a', 5000)).toBeUndefined();
    expect(cache.find('b', 999)).toBeDefined();
    expect(cache.find('b', 1000)).toBeUndefined();
  });

  it('is forgotten when the key is revoked, and only of that key', async () => {
    const cache = createGrantCache();
    await cache.remember('key', 0, async () => grant);
    await cache.remember('session', 0, async () => grant);
    await cache.remember('other', 0, async () => ({ ...grant, keyId: 'two' }));

    cache.drop('one');

    expect(['key', 'session', 'other'].map((what) => cache.find(what, 1) !== undefined)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('does not come from a look that began before a revocation', async () => {
    const cache = createGrantCache();
    const { promise, resolve } = Promise.withResolvers<Grant>();
    const looking = cache.remember('key', 0, () => promise);
    cache.drop('one');
    resolve(grant);

    expect(await looking).toEqual(grant);
    expect(cache.find('key', 1)).toBeUndefined();
  });

  it('holds a thousand grants at most, the latest ones', async () => {
    const cache = createGrantCache();
    for (let i = 0; i <= 1000; i++) await cache.remember(String(i), 0, async () => grant);

    expect(cache.find('0', 1)).toBeUndefined();
    expect(cache.find('1', 1)).toBeDefined();
    expect(cache.find('1000', 1)).toBeDefined();
  });

  it('is nothing where the look fails', async () => {
    const cache = createGrantCache();
    const failing = cache.remember('key', 0, () => Promise.reject(new Error('refused')));

    await expect(failing).rejects.toThrow('refused');
    expect(cache.find('key', 1)).toBeUndefined();
  });
});

describe('the comparison of hashes', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is the one of the runtime that takes the same time wherever they differ', () => {
    // Node has it beside, workerd inside of crypto.subtle.
    const compared = vi.fn<typeof timingSafeEqual>(timingSafeEqual);
    vi.stubGlobal('crypto', { subtle: { timingSafeEqual: compared } });

    expect(sameHash('a'.repeat(64), 'a'.repeat(64))).toBe(true);
    expect(sameHash('a'.repeat(64), `${'a'.repeat(63)}b`)).toBe(false);
    expect(compared).toHaveBeenCalledTimes(2);
    expect(sameHash('a'.repeat(64), 'a')).toBe(false);
    expect(compared).toHaveBeenCalledTimes(2);
  });
});
