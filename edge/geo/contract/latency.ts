import * as z from 'zod/mini';
import { ModelId } from '../../registry/contract/model.ts';
import { Version } from '../../contract/semver.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { RegionId } from './region.ts';

export const LatencySource = z.enum(['estimated', 'measured']);
export type LatencySource = z.infer<typeof LatencySource>;

/**
 * What `GET /api/geo/latency-matrix` answers: milliseconds one way between each two regions, and
 * under the same keys where each figure comes from.
 */
export const LatencyMatrix = z.object({
  matrix: z.record(RegionId, z.record(RegionId, z.number())),
  sources: z.record(RegionId, z.record(RegionId, LatencySource)),
});
export type LatencyMatrix = z.infer<typeof LatencyMatrix>;

/** How far the copy of a version has come in the store of a region. */
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

/** What `GET /api/geo/replication-group/{region_id}` answers: the nearest regions that are online. */
export const ReplicationGroup = z.object({
  source_region: RegionId,
  replication_targets: z.array(RegionId),
  latencies_ms: z.record(RegionId, z.number()),
  /** The copies in the stores of the targets; a region without nodes is given none. */
  replicas: z.array(Replica),
});
export type ReplicationGroup = z.infer<typeof ReplicationGroup>;
