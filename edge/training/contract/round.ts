import * as z from 'zod/mini';
import { Digest } from '../../contract/digest.ts';
import { PartedFile } from './checkpoint.ts';

/** The contribution of one member to a round: the difference of its parameters, as a file of parts. */
export const Contribution = z.object({
  seat: z.int(),
  trainer_id: z.string(),
  /** Tokens it trained on, the weight of its part of the average. */
  tokens: z.int().check(z.gte(1)),
  loss: z.number(),
  delta: PartedFile,
});
export type Contribution = z.infer<typeof Contribution>;

/** A round that is over: every member computes the same new parameters from these, in this order. */
export const RoundClosed = z.object({
  round: z.int(),
  contributions: z.array(Contribution),
});
export type RoundClosed = z.infer<typeof RoundClosed>;

/** The round under way, and those closed since the job's newest checkpoint, to be caught up with. */
export const Round = z.object({
  round: z.int(),
  /** Seats that train now, in order. */
  seats: z.array(z.int()),
  /** The seat that writes the checkpoints. */
  leader: z.int(),
  /** The round the newest checkpoint holds; 0 where there is none. */
  checkpoint_round: z.int(),
});
export type Round = z.infer<typeof Round>;

export const ContributionRequest = z.strictObject({
  lease_id: z.string().check(z.maxLength(64)),
  fencing_token: z.int().check(z.gte(1)),
  round: z.int().check(z.gte(1)),
  tokens: z.int().check(z.gte(1)),
  loss: z.number(),
  delta: PartedFile,
  /** Of the parameters the round started from; members that differ are refused. */
  base_digest: Digest,
});
export type ContributionRequest = z.output<typeof ContributionRequest>;

const RoundNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/, 'expected a whole number')),
  z.transform(Number),
);

/** `GET /jobs/{id}/rounds`: closed rounds after one; waits up to `wait_s` for the first. */
export const RoundsQuery = z.strictObject({
  after: RoundNumber,
  wait_s: z.prefault(
    z.pipe(
      z.string().check(z.regex(/^(?:\d|1\d|2[0-5])$/, 'expected a whole number from 0 to 25')),
      z.transform(Number),
    ),
    '20',
  ),
});
export type RoundsQuery = z.output<typeof RoundsQuery>;

export const RoundList = z.object({ rounds: z.array(RoundClosed), current: Round });
export type RoundList = z.infer<typeof RoundList>;
