import * as z from 'zod/mini';

/** The memory a run needs on its device and what is available (spec: capacity check). */
export const Capacity = z.object({
  /** `limits_only`: free memory is unknown, only the adapter's limits bound it. */
  checked: z.union([z.boolean(), z.literal('limits_only')]),
  fits: z.boolean(),
  gpu_index: z.nullable(z.int()),
  gpu_name: z.nullable(z.string()),
  free_bytes: z.nullable(z.int()),
  required_bytes: z.int(),
  breakdown: z.object({
    parameters: z.int(),
    gradients: z.int(),
    optimiser: z.int(),
    arena: z.int(),
    margin: z.int(),
    reserve: z.int(),
  }),
});
export type Capacity = z.infer<typeof Capacity>;

/** One place a request could be trained at, as the load balancer of the training servers ranks them. */
export const Placement = z.object({
  trainer_id: z.string(),
  name: z.string(),
  device: z.string(),
  free_bytes: z.nullable(z.int()),
  load: z.number(),
  jobs: z.int(),
  region_id: z.nullable(z.string()),
  /** Why it is excluded; null where it is a candidate. */
  excluded: z.nullable(z.string()),
});
export type Placement = z.infer<typeof Placement>;

export const CapacityAnswer = z.object({
  capacity: Capacity,
  /** The best one first. */
  candidates: z.array(Placement),
});
export type CapacityAnswer = z.infer<typeof CapacityAnswer>;
