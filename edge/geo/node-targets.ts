import type { StoredNode } from './node-book.ts';
import { type Allowlist, checkTarget, parseAllowlist } from '../gateway/target-allowlist.ts';

/**
 * Which nodes may be probed: those that an administrator registered where the allowlist lets services run,
 * and those that announced themselves where another allowlist says so.
 */
export class NodeTargets {
  readonly #configured: { readonly registered: unknown; readonly announced: unknown };
  #allowlists: { readonly registered: Allowlist; readonly announced: Allowlist } | undefined;

  /**
   * Both are read when the first node is asked for.
   *
   * @param registered TARGET_ALLOWLIST
   * @param announced ANNOUNCED_ALLOWLIST
   */
  constructor(registered: unknown, announced: unknown) {
    this.#configured = { registered, announced };
  }

  /** Where the paths of a node begin; undefined where it may not be asked. */
  urlOf({ endpoint, isRegistered }: Pick<StoredNode, 'endpoint' | 'isRegistered'>) {
    const { registered, announced } = this.#configured;
    this.#allowlists ??= {
      registered: allowlistOf(registered),
      announced: allowlistOf(announced),
    };
    const { [isRegistered ? 'registered' : 'announced']: allowlist } = this.#allowlists;
    const target = checkTarget(`http://${endpoint}`, allowlist);
    return target.ok ? target.url.replace(/\/$/, '') : undefined;
  }
}

/** A list that cannot be read allows nothing: regions are judged by heartbeats all the same. */
function allowlistOf(configured: unknown): Allowlist {
  try {
    return parseAllowlist(configured);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ level: 'error', event: 'geo_allowlist_unreadable', text }));
    return { written: [], patterns: [] };
  }
}
