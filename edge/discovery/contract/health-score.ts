import type { NodeMetadata } from './node-message.ts';

/** Up to this age a heartbeat counts in full; at the inactivity timeout it counts for nothing. */
const FRESH_MS = 2_000;
/** With less than this left of anything, it is what matters (Kubernetes evicts at about the same). */
const HEADROOM = 0.1;

const WEIGHTS = [
  ['cpu_percent', 0.4],
  ['memory_percent', 0.4],
  ['disk_percent', 0.2],
] as const;

/** How much of a node is free, from 0 to 1, as it last said; 1 where it says nothing. */
export function spareOf(metadata: NodeMetadata): number {
  const reported = WEIGHTS.flatMap(([name, weight]) => {
    const percent = metadata[name];
    const isKnown = typeof percent === 'number' && percent >= 0 && percent <= 100;
    return isKnown ? [{ used: percent / 100, weight }] : [];
  });
  if (reported.length === 0) return 1;
  const total = reported.reduce((sum, { weight }) => sum + weight, 0);
  const used = reported.reduce((sum, one) => sum + one.used * one.weight, 0) / total;
  const fullest = Math.max(...reported.map((one) => one.used));
  // Otherwise a full disk would hide in the average.
  return (1 - used) * Math.min(1, (1 - fullest) / HEADROOM);
}

/** The health score: what is free, and how lately the node was heard. */
export function healthScore(spare: number, silentMs: number, timeoutMs: number): number {
  const freshness = Math.min(1, Math.max(0, (timeoutMs - silentMs) / (timeoutMs - FRESH_MS)));
  return Math.round(spare * freshness * 1000) / 1000;
}
