import type { Grant } from './machine.ts';

/** How long a key that was revoked elsewhere may still hold in this isolate. */
const TTL_MS = 5_000;
const MAX_GRANTS = 1_000;

/** Grants found valid a moment ago, by what was presented; never by a secret, only by its hash. */
export interface GrantCache {
  find(presented: string, now: number): Grant | undefined;
  /**
   * Remembers what `look` finds. What is found while a key is dropped is not remembered: it may have
   * been looked up just before.
   */
  remember(presented: string, now: number, look: () => Promise<Grant>): Promise<Grant>;
  /** Forgets every grant of a key. */
  drop(keyId: string): void;
}

export function createGrantCache(): GrantCache {
  const grants = new Map<string, { readonly grant: Grant; readonly until: number }>();
  let drops = 0;
  return {
    find(presented, now) {
      const known = grants.get(presented);
      return known && known.until > now ? known.grant : undefined;
    },
    async remember(presented, now, look) {
      const dropsBefore = drops;
      const grant = await look();
      if (drops !== dropsBefore) return grant;
      grants.delete(presented);
      grants.set(presented, { grant, until: Math.min(now + TTL_MS, grant.until ?? Infinity) });
      const [oldest] = grants.keys();
      if (grants.size > MAX_GRANTS && oldest !== undefined) grants.delete(oldest);
      return grant;
    },
    drop(keyId) {
      drops += 1;
      for (const [presented, { grant }] of grants) {
        if (grant.keyId === keyId) grants.delete(presented);
      }
    },
  };
}
