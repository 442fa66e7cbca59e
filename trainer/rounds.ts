import { ProblemError } from '../edge/contract/problem-error.ts';
import type { Round, RoundClosed, RoundList } from '../edge/training/contract/round.ts';
import type { Distributed } from '../edge/training/contract/train-request.ts';
import {
  closeRound,
  type Contribution,
  decodeDelta,
  type Delta,
  deltaOf,
  encodeDelta,
  type OuterState,
  parametersDigest,
  quantiseDelta,
} from '../engine/index.ts';
import { pause, retry, type RetryOptions } from './backoff.ts';
import type { JobContext } from './job-context.ts';
import { cutFile, fetchFile, sendMissingParts } from './parts.ts';

/** A member's contribution to a round. */
export interface Learned {
  readonly parameters: Float32Array;
  readonly tokens: number;
  readonly loss: number;
}

/** Duration of a long poll for closed rounds. */
const WAIT_S = 20;
const BREATH_MS = 250;

interface Submitted {
  readonly digest: string;
  readonly delta: Delta;
  /** The rounding error, carried over only if the round includes the delta. */
  readonly residual: Float32Array;
}

/** The rounds of a job from the view of one member. */
export class Rounds {
  readonly #context: JobContext;
  readonly #distributed: Distributed;
  readonly #retryOptions: RetryOptions;
  #outer: OuterState;
  #current: Round;
  #residual: Float32Array;
  #submitted: Submitted | undefined;

  private constructor(
    context: JobContext,
    distributed: Distributed,
    start: OuterState,
    current: Round,
  ) {
    this.#context = context;
    this.#distributed = distributed;
    this.#retryOptions = { signal: context.early };
    this.#outer = start;
    this.#current = current;
    this.#residual = new Float32Array(start.parameters.length);
  }

  /** Joins with the state of the job's latest checkpoint, and applies the rounds closed since. */
  static async join(
    context: JobContext,
    distributed: Distributed,
    start: OuterState,
  ): Promise<Rounds> {
    const { client, plan, early } = context;
    const poll = () => client.rounds(plan.jobId, start.round, 0, early);
    const list = await retry(poll, { signal: early });
    const rounds = new Rounds(context, distributed, start, list.current);
    await rounds.#take(list);
    return rounds;
  }

  /** The latest agreed state. */
  get outer(): OuterState {
    return this.#outer;
  }

  /** How many train now. */
  get members(): number {
    return Math.max(1, this.#current.seats.length);
  }

  /** Whether this seat writes the checkpoints and ends the job. */
  get isLeader(): boolean {
    return this.#current.leader === this.#context.plan.seat;
  }

  /** Applies all rounds closed meanwhile. Returns whether there was any. */
  async catchUp(): Promise<boolean> {
    return this.#take(await this.#poll(0));
  }

  /** Waits for the next round to be closed, up to a time limit, and applies it. */
  async next(): Promise<void> {
    const took = await this.#take(await this.#poll(WAIT_S));
    // A finished job responds immediately until this member is notified.
    if (!took) await pause(BREATH_MS, this.#context.early);
  }

  /** Restarts from another state, as of a checkpoint. */
  restart(outer: OuterState): void {
    this.#outer = outer;
    this.#submitted = undefined;
  }

  /**
   * Contributes the changes since the last round. Returns false if that round is closed, or others started
   * it from other parameters.
   */
  async contribute({ parameters, tokens, loss }: Learned): Promise<boolean> {
    const { client, plan, lease } = this.#context;
    const { parameters: base, round: last } = this.#outer;
    const round = last + 1;
    const rounded = roundOff(deltaOf(base, parameters), this.#residual, this.#distributed);
    const name = `delta-${round}-${plan.seat}.safetensors`;
    const cut = await cutFile(name, encodeDelta(rounded.delta));
    await sendMissingParts(client, [cut], this.#retryOptions);
    const { lease_id, fencing_token } = lease;
    const { file: delta } = cut;
    const base_digest = parametersDigest(base);
    const body = { lease_id, fencing_token, round, tokens, loss, delta, base_digest };
    try {
      this.#current = await retry(() => client.contribute(plan.jobId, body), this.#retryOptions);
    } catch (error) {
      if (error instanceof ProblemError && error.code === 'stale_round') return false;
      throw error;
    }
    this.#submitted = { ...rounded, digest: delta.digest };
    return true;
  }

  #poll(waitS: number): Promise<RoundList> {
    const { client, plan, early } = this.#context;
    const after = this.#outer.round;
    return retry(() => client.rounds(plan.jobId, after, waitS, early), this.#retryOptions);
  }

  async #take({ rounds, current }: RoundList): Promise<boolean> {
    this.#current = current;
    let took = false;
    for (const closed of rounds) {
      // A gap: older rounds are only in a checkpoint, which has to be loaded.
      if (closed.round !== this.#outer.round + 1) break;
      await this.#close(closed);
      took = true;
    }
    return took;
  }

  async #close({ contributions }: RoundClosed): Promise<void> {
    const taken: Contribution[] = [];
    for (const contribution of contributions) taken.push(await this.#read(contribution));
    this.#outer = closeRound(this.#outer, taken, {
      learningRate: this.#distributed.outer_learning_rate,
      momentum: this.#distributed.outer_momentum,
    });
    const isTaken = contributions.some((contribution) => this.#isOwn(contribution));
    if (isTaken && this.#submitted) this.#residual = this.#submitted.residual;
    this.#submitted = undefined;
  }

  async #read(contribution: SentContribution): Promise<Contribution> {
    const { delta: file, tokens } = contribution;
    if (this.#submitted && this.#isOwn(contribution))
      return { delta: this.#submitted.delta, tokens };
    const bytes = await fetchFile(this.#context.client, file, this.#retryOptions);
    return { delta: decodeDelta(bytes, file.filename, this.#outer.parameters.length), tokens };
  }

  #isOwn({ seat, delta }: SentContribution): boolean {
    return seat === this.#context.plan.seat && delta.digest === this.#submitted?.digest;
  }
}

type SentContribution = RoundClosed['contributions'][number];

function roundOff(
  delta: Float32Array,
  residual: Float32Array,
  { quantisation }: Distributed,
): Pick<Submitted, 'delta' | 'residual'> {
  if (quantisation === 'int8') return quantiseDelta(delta, residual);
  return { delta: { kind: 'float32', values: delta }, residual };
}
