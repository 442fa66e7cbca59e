import type { Grant } from './machine.ts';

/** How long a key revoked elsewhere may remain valid in this isolate. */
const TTL_MS = 5_000;
const MAX_GRANTS = 1_000;

/** A cache of recent grants by hashed credentials; secrets are never cached. */
interface GrantCache {
  find(presented: string, now: number): Grant | undefined;
  /**
   * Caches the result of `look`, unless a key was dropped meanwhile: the result may predate that.
   */
  remember(presented: string, now: number, look: () => Promise<Grant>): Promise<Grant>;
  /** Removes every grant of a key. */
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
