import type { LeaseProof } from './contract/trainer.ts';
import type { Caller } from '../http/caller.ts';
import { maySee, ownerOf, type Ownership, teamSeen } from '../http/ownership.ts';
import type { Jobs } from './jobs.ts';
import type { Denied } from './results.ts';
import type { Trainers } from './trainers.ts';

/** Whose rows are meant; undefined for those of all teams. */
export type Team = string | undefined;

export const isOf = (row: Pick<Ownership, 'team'>, team: Team): boolean =>
  team === undefined || row.team === team;

/** Who may see which jobs, and who speaks for which lease. */
export class TrainingOwners {
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

  /** The jobs under way that a team sees; undefined for all. */
  jobsShownTo(team: Team): ReadonlySet<string> | undefined {
    return team === undefined ? undefined : this.#jobs.store.idsUnderWay(team);
  }

  /** Whose the result of a job is, for its owner and for who registered a trainer that held it. */
  ofResult(jobId: string, caller: Caller): Ownership | undefined {
    const whose = this.#jobs.store.ownership(jobId);
    if (!whose || !maySee(caller, whose)) return undefined;
    const owner = ownerOf(caller);
    const mayName = whose.owner === owner || this.#jobs.attempts.wasHeldBy(jobId, owner);
    return mayName ? whose : undefined;
  }

  /**
   * What keeps a caller from showing a lease. Whoever sees a job sees its leases: it is the key that
   * registered the trainer which speaks for them.
   */
  refusedTo(
    caller: Caller,
    jobId: string,
    proof: LeaseProof,
  ): { readonly kind: 'no-job' } | Denied | undefined {
    if (!this.has(jobId, teamSeen(caller))) return { kind: 'no-job' };
    const attempt = this.#jobs.attempts.find(jobId, proof.fencing_token);
    // What is no lease of the job is stale, whoever shows it.
    if (attempt?.leaseId !== proof.lease_id) return undefined;
    const owner = this.#trainers.ownerOf(attempt.trainerId);
    return owner === undefined || owner === ownerOf(caller) ? undefined : { kind: 'denied', owner };
  }
}
