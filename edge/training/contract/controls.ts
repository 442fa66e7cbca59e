import * as z from 'zod/mini';

/**
 * Named sets of optimiser controls; they never touch what was submitted (spec: convergence profiles).
 * Under `auto` whatever was left out is chosen by what was measured; `stable_baseline` is a choice, too:
 * sequences of 64 tokens and a learning rate of 0.0001.
 */
export const ConvergenceProfile = z.enum([
  'auto',
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
    /** Fraction of the budget over which the rate rises from 0. */
    warmup: share,
    /** Fraction of the budget before which the rate does not fall. */
    decay_start: share,
    /** Fraction of the submitted rate that remains at the end. */
    final_rate: share,
    grad_clip_norm: positive,
    weight_decay: z.number().check(z.gte(0)),
    beta1: share,
    beta2: share,
    epsilon: positive,
    /** Fraction of the steps so far that the average of the weights, which becomes the model, looks back over; 0: none. */
    average: share,
    /** How the loss becomes the reward that steers the neurons of dense_chronospike. */
    reward_mode: z.enum(['off', 'ema_delta', 'raw', 'clipped_raw']),
    /** Largest reward in either direction. */
    reward_clip_value: positive,
    /** Whether spikes have to be paid for. */
    energy_gating: z.boolean(),
    /** Fraction of the budget over which spikes go from a sigmoid to hard ones. */
    relaxation: share,
  }),
);
export type Controls = z.infer<typeof Controls>;

/** A value that a request left out: what was chosen, and why. */
export const Choice = z.object({
  value: z.union([z.number(), z.string(), z.boolean()]),
  reason: z.string(),
});
export type Choice = z.infer<typeof Choice>;

/** By the names of the fields on the wire. */
export const Choices = z.record(z.string(), Choice);
export type Choices = z.infer<typeof Choices>;
