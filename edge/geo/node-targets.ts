import { type Allowlist, checkTarget, parseAllowlist } from '../gateway/target-allowlist.ts';

/** Which endpoints of nodes may be probed: those where the allowlist lets services run. */
export class NodeTargets {
  readonly #configured: unknown;
  #allowlist: Allowlist | undefined;

  /** @param configured TARGET_ALLOWLIST, read when the first endpoint is asked for */
  constructor(configured: unknown) {
    this.#configured = configured;
  }

  /** Where the paths of a node begin; undefined where it may not be asked. */
  urlOf(endpoint: string): string | undefined {
    this.#allowlist ??= allowlistOf(this.#configured);
    const target = checkTarget(`http://${endpoint}`, this.#allowlist);
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
