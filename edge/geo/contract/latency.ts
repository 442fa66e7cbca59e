import * as z from 'zod/mini';
import { ModelId } from '../../registry/contract/model.ts';
import { Version } from '../../contract/semver.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { RegionId } from './region.ts';

export const LatencySource = z.enum(['estimated', 'measured']);
export type LatencySource = z.infer<typeof LatencySource>;

/**
 * The response of `GET /api/geo/latency-matrix`: one-way milliseconds between each two regions, and
 * the source of each value under the same keys.
 */
export const LatencyMatrix = z.object({
  matrix: z.record(RegionId, z.record(RegionId, z.number())),
  sources: z.record(RegionId, z.record(RegionId, LatencySource)),
});
export type LatencyMatrix = z.infer<typeof LatencyMatrix>;

/** The progress of copying a version to the store of a region. */
export const Replica = z.object({
  region_id: RegionId,
  model_id: ModelId,
  version: Version,
  status: z.enum(['waiting', 'copying', 'ready', 'failed']),
  files: z.int(),
  files_ready: z.int(),
  bytes: z.int(),
  bytes_copied: z.int(),
  error: z.nullable(z.string()),
  updated_at: Timestamp,
});
export type Replica = z.infer<typeof Replica>;

/**
 * The response of `GET /api/geo/replication-group/{region_id}`: the nearest regions that are
 * online.
 */
export const ReplicationGroup = z.object({
  source_region: RegionId,
  replication_targets: z.array(RegionId),
  latencies_ms: z.record(RegionId, z.number()),
  /** The copies in the stores of the targets; a region without nodes gets none. */
  replicas: z.array(Replica),
});
export type ReplicationGroup = z.infer<typeof ReplicationGroup>;
