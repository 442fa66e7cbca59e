import type { LeaseProof } from './contract/trainer.ts';
import type { Caller } from '../http/caller.ts';
import { maySee, ownerOf, type Ownership, teamSeen } from '../http/ownership.ts';
import type { Jobs } from './jobs.ts';
import type { Denied } from './results.ts';
import type { Trainers } from './trainers.ts';

/** The team whose rows are visible; undefined for all teams. */
export type Team = string | undefined;

export const isOf = (row: Pick<Ownership, 'team'>, team: Team): boolean =>
  team === undefined || row.team === team;

/** Who may see which jobs, and which trainer holds which lease. */
export class TrainingAccess {
  readonly #jobs: Jobs;
  readonly #trainers: Trainers;

  constructor(jobs: Jobs, trainers: Trainers) {
    this.#jobs = jobs;
    this.#trainers = trainers;
  }

  has(jobId: string, team: Team): boolean {
    const whose = this.#jobs.store.ownership(jobId);
    return whose !== undefined && isOf(whose, team);
  }

  /** The jobs in progress that are visible to a team; undefined for all. */
  visibleJobs(team: Team): ReadonlySet<string> | undefined {
    return team === undefined ? undefined : this.#jobs.store.idsInProgress(team);
  }

  /**
   * The owner of a job's result, as visible to that owner and to the owner of a trainer that held the job.
   */
  ofResult(jobId: string, caller: Caller): Ownership | undefined {
    const whose = this.#jobs.store.ownership(jobId);
    if (!whose || !maySee(caller, whose)) return undefined;
    const owner = ownerOf(caller);
    const mayName = whose.owner === owner || this.#jobs.attempts.wasHeldBy(jobId, owner);
    return mayName ? whose : undefined;
  }

  /**
   * The refusal of a caller that presents a lease. Whoever may see a job sees its leases, so the caller
   * must be the key that registered the trainer.
   */
  refusedTo(
    caller: Caller,
    jobId: string,
    proof: LeaseProof,
  ): { readonly kind: 'no-job' } | Denied | undefined {
    if (!this.has(jobId, teamSeen(caller))) return { kind: 'no-job' };
    const attempt = this.#jobs.attempts.find(jobId, proof.fencing_token);
    // An unknown lease is refused as stale, whoever presents it.
    if (attempt?.leaseId !== proof.lease_id) return undefined;
    const owner = this.#trainers.ownerOf(attempt.trainerId);
    return owner === undefined || owner === ownerOf(caller) ? undefined : { kind: 'denied', owner };
  }
}
