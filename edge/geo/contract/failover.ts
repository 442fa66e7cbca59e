import * as z from 'zod/mini';
import { Timestamp } from '../../contract/timestamp.ts';
import { Epoch, RegionId, RegionStatus } from './region.ts';

/** A region that could take over, with the criteria of its rank, the lowest priority first. */
export const Candidate = z.object({
  region_id: RegionId,
  priority: z.int(),
  latency_ms: z.number(),
  active_nodes: z.int(),
  status: RegionStatus,
});
export type Candidate = z.infer<typeof Candidate>;

export const Excluded = z.object({ region_id: RegionId, why: z.string() });
export type Excluded = z.infer<typeof Excluded>;

/** The effect a failover would have. */
export const FailoverPlan = z.object({
  from_region: RegionId,
  target: z.nullable(RegionId),
  ranked_candidates: z.array(Candidate),
  excluded: z.array(Excluded),
  /** The number of nodes in the region it leaves. */
  nodes_affected: z.int(),
  /** The additional one-way latency of the target, as seen from the region it leaves. */
  latency_delta_ms: z.nullable(z.number()),
  /** The epoch it would begin. */
  epoch: z.int(),
});
export type FailoverPlan = z.infer<typeof FailoverPlan>;

export const FailoverEvent = z.object({
  event_id: z.uuid(),
  from_region: RegionId,
  to_region: z.nullable(RegionId),
  timestamp: Timestamp,
  reason: z.string(),
  triggered_by: z.string(),
  success: z.boolean(),
});
export type FailoverEvent = z.infer<typeof FailoverEvent>;

/** An entry of the history. `epoch` is the one after it: a failed failover leaves it unchanged. */
export const FailoverEntry = z.object({
  ...FailoverEvent.shape,
  mode: z.enum(['automatic', 'manual']),
  epoch: z.int(),
  detected_at: Timestamp,
  duration_ms: z.number(),
  error: z.nullable(z.string()),
  candidates: z.array(Candidate),
  excluded: z.array(Excluded),
});
export type FailoverEntry = z.infer<typeof FailoverEntry>;

const Text = z.string().check(z.maxLength(256));

/** The body of `POST /api/geo/failover`; without `to_region` the best candidate is chosen. */
export const FailoverInput = z.strictObject({
  from_region: RegionId,
  to_region: z.optional(RegionId),
  reason: z.prefault(Text, ''),
  triggered_by: z.prefault(Text, 'operator'),
  /** Accepts a target that is not online, but never one in maintenance. */
  force: z.prefault(z.boolean(), false),
  /** Refuses with 409 `stale_epoch` where another switch came first. */
  expected_epoch: z.optional(Epoch),
});
export type FailoverInput = z.output<typeof FailoverInput>;

export const FailoverQuery = z.strictObject({
  dry_run: z.prefault(z.enum(['true', 'false']), 'false'),
});

/** The response of `POST /api/geo/failover`: the event, or with `dry_run=true` the plan. */
export const FailoverAnswer = z.union([
  z.object({ status: z.literal('failover_executed'), event: FailoverEntry }),
  z.object({ plan: FailoverPlan }),
]);
export type FailoverAnswer = z.infer<typeof FailoverAnswer>;

/** The query of `GET /api/geo/failover/history`. */
export const FailoverHistoryQuery = z.strictObject({
  limit: z.prefault(
    z.pipe(
      z
        .string()
        .check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'expected a whole number from 1 to 1000')),
      z.transform(Number),
    ),
    '20',
  ),
});

/** The response of `GET /api/geo/failover/history`, the latest first. */
export const FailoverHistory = z.object({
  history: z.array(FailoverEntry),
  total: z.int(),
  has_more: z.boolean(),
});
export type FailoverHistory = z.infer<typeof FailoverHistory>;
