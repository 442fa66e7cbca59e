import type { Timing } from '../../../../edge/inference/contract/infer.ts';

export const LATENCY_PARTS = ['queue', 'compute', 'server', 'network'] as const;
type LatencyPart = (typeof LATENCY_PARTS)[number];

/** Where the time of an answer went, in ms. The parts add up to `total`. */
export interface Latency {
  readonly parts: Readonly<Record<LatencyPart, number>>;
  readonly total: number;
}

/**
 * @param timing what the server measured
 * @param totalMs from the request to the end of the answer, as this page saw it; two clocks of
 *   different fineness can make it less than what the server says
 */
export function latencyOf(timing: Timing, totalMs: number): Latency {
  const { queue_ms: queue, compute_ms: compute, total_ms: onServer } = timing;
  const server = Math.max(0, onServer - queue - compute);
  const network = Math.max(0, totalMs - onServer);
  return {
    parts: { queue, compute, server, network },
    total: queue + compute + server + network,
  };
}
