import { type Allowlist, checkTarget, parseAllowlist } from '../gateway/target-allowlist.ts';
import type { StoredNode } from './node-index.ts';

/**
 * Decides which nodes may be probed: registered ones by one allowlist, nodes that announced
 * themselves by another.
 */
export class NodeTargets {
  readonly #configured: { readonly registered: unknown; readonly announced: unknown };
  #allowlists: { readonly registered: Allowlist; readonly announced: Allowlist } | undefined;

  /**
   * Both are parsed on first use.
   *
   * @param registered TARGET_ALLOWLIST
   * @param announced ANNOUNCED_ALLOWLIST
   */
  constructor(registered: unknown, announced: unknown) {
    this.#configured = { registered, announced };
  }

  /** The base URL of a node; undefined where it may not be probed. */
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

/** An invalid list allows nothing: regions are still judged by heartbeats. */
function allowlistOf(configured: unknown): Allowlist {
  try {
    return parseAllowlist(configured);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ level: 'error', event: 'geo_allowlist_unreadable', text }));
    return { written: [], patterns: [] };
  }
}

/** The number of probes in a round. */
const PROBES = 3;
/** Between two probes of the same node. */
const SPACING_MS = 500;

/** The result of one probe: the response time, a failure, or that the node may not be probed. */
export type ProbeResult =
  | { readonly kind: 'answered'; readonly ms: number }
  | { readonly kind: 'failed' }
  | { readonly kind: 'not-asked' };

export interface Prober {
  /** Whether recent heartbeats make a probe unnecessary. */
  readonly isHeard: (node: StoredNode) => boolean;
  readonly ask: (node: StoredNode) => Promise<ProbeResult>;
  /** In [0, 1). */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

interface ProbedNode {
  readonly node: StoredNode;
  readonly result: ProbeResult;
}

interface ProbeRound {
  readonly sent: number;
  readonly failed: number;
  readonly probed: readonly ProbedNode[];
}

/**
 * Sends three probes to a region, to three nodes drawn at random where it has as many. A node heard
 * recently counts as having responded; one that may not be probed is left to its heartbeats.
 */
export async function probeRound(
  nodes: readonly StoredNode[],
  { isHeard, ask, random, wait }: Prober,
): Promise<ProbeRound> {
  const probed: ProbedNode[] = [];
  let answered = 0;
  let failed = 0;
  const drawn = draw(nodes, random);
  for (let i = 0; i < PROBES; i++) {
    const node = drawn[i % drawn.length];
    if (!node) break;
    if (isHeard(node)) {
      answered += 1;
      continue;
    }
    if (i >= drawn.length) await wait(SPACING_MS);
    const result = await ask(node);
    probed.push({ node, result });
    if (result.kind === 'answered') answered += 1;
    if (result.kind === 'failed') failed += 1;
  }
  return { sent: answered + failed, failed, probed };
}

/** As many distinct nodes as a round probes. */
function draw(nodes: readonly StoredNode[], random: () => number): readonly StoredNode[] {
  const rest = [...nodes];
  const count = Math.min(PROBES, rest.length);
  return Array.from({ length: count }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat();
}
