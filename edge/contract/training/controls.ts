import * as z from 'zod/mini';

/** Named sets of optimiser controls; they never touch what was submitted (spec: convergence profiles). */
export const ConvergenceProfile = z.enum([
  'stable_baseline',
  'stable_plus',
  'stable_converge',
  'aggressive_convergence',
]);
export type ConvergenceProfile = z.infer<typeof ConvergenceProfile>;

const share = z.number().check(z.gte(0), z.lte(1));
const positive = z.number().check(z.gt(0));

/** Controls that a request gives itself win over the profile's and over those of the environment. */
export const Controls = z.partial(
  z.strictObject({
    /** Share of the budget over which the rate rises from 0. */
    warmup: share,
    /** Share of the budget before which the rate does not fall. */
    decay_start: share,
    /** What is left of the submitted rate at the end. */
    final_rate: share,
    grad_clip_norm: positive,
    weight_decay: z.number().check(z.gte(0)),
    beta1: share,
    beta2: share,
    epsilon: positive,
  }),
);
export type Controls = z.infer<typeof Controls>;
