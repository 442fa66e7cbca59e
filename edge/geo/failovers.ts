import type { FailoverEntry, FailoverInput, FailoverPlan } from './contract/failover.ts';
import { type Asked, planFailover, type Refusal } from './failover-plan.ts';
import { type Due, outageOf, switchTo } from './geo-machine.ts';
import { type GeoBook, isoOf } from './store-state.ts';

export type FailoverResult =
  | { readonly kind: 'done'; readonly event: FailoverEntry }
  | { readonly kind: 'planned'; readonly plan: FailoverPlan }
  | { readonly kind: 'refused'; readonly code: Refusal; readonly why: string };

/** Closes the store of a region to everything that was decided before an epoch. @throws where it cannot be told */
export type Seal = (regionId: string, epoch: number) => Promise<void>;

interface Cause {
  readonly mode: FailoverEntry['mode'];
  readonly reason: string;
  readonly triggeredBy: string;
  readonly detectedAt: number;
}

interface Outcome {
  readonly success: boolean;
  readonly target: string | null;
  readonly error: string | null;
}

/**
 * Carries failovers out: plan, seal the target's store with the new epoch, switch, record. Sealing
 * takes a message, and whoever switches meanwhile was first: the plan of the other is stale.
 */
export class GeoFailovers {
  readonly #book: GeoBook;
  readonly #seal: Seal;

  constructor(book: GeoBook, seal: Seal) {
    this.#book = book;
    this.#seal = seal;
  }

  plan(asked: Asked): FailoverResult {
    const planned = planFailover(this.#book.state, asked, this.#book.facts(Date.now()));
    return planned;
  }

  manual(input: FailoverInput): Promise<FailoverResult> {
    const { from_region, to_region, force, expected_epoch, reason, triggered_by } = input;
    const asked = { from: from_region, to: to_region, force, expectedEpoch: expected_epoch };
    return this.#execute(asked, {
      mode: 'manual',
      reason: reason === '' ? 'an operator asked for it' : reason,
      triggeredBy: triggered_by,
      detectedAt: Date.now(),
    });
  }

  /**
   * Where no region can take over, that is recorded once for each outage, and tried again with each
   * look. Whether one was tried.
   */
  async automatic(due: Due): Promise<boolean> {
    const { from, detectedAt, reason } = due;
    const planned = this.plan({ from });
    const hasTarget = planned.kind === 'planned' && planned.plan.target !== null;
    const isKnown = this.#book.state.givenUp === outageOf(due);
    if (hasTarget ? due.isTooSoon : isKnown) return false;
    const cause: Cause = { mode: 'automatic', reason, triggeredBy: 'geo-monitor', detectedAt };
    const result = await this.#execute({ from }, cause, isKnown);
    if (result.kind === 'done' && !result.event.success) {
      this.#book.commit({ ...this.#book.state, givenUp: outageOf(due) });
    }
    return result.kind === 'done';
  }

  /** @param isKnown whether it is recorded already that no region can take over */
  async #execute(asked: Asked, cause: Cause, isKnown = false): Promise<FailoverResult> {
    const planned = planFailover(this.#book.state, asked, this.#book.facts(Date.now()));
    if (planned.kind === 'refused') return planned;
    const { plan } = planned;
    const targets = asked.to === undefined ? plan.ranked_candidates : [{ region_id: asked.to }];
    const errors: string[] = [];
    for (const { region_id: to } of targets) {
      try {
        await this.#seal(to, plan.epoch);
      } catch (error) {
        errors.push(`the store of ${to} cannot be sealed: ${messageOf(error)}`);
        continue;
      }
      const result = this.#switch(plan, to, { cause, isForced: asked.force === true });
      if (result.kind !== 'unfit') return result;
      errors.push(result.why);
    }
    const error = errors.length > 0 ? errors.join('; ') : 'no region can take over';
    if (isKnown) return { kind: 'refused', code: 'target_not_online', why: error };
    const event = this.#entry(plan, cause, { success: false, target: asked.to ?? null, error });
    this.#record(event);
    return { kind: 'done', event };
  }

  #switch(
    plan: FailoverPlan,
    to: string,
    { cause, isForced }: { readonly cause: Cause; readonly isForced: boolean },
  ): FailoverResult | { readonly kind: 'unfit'; readonly why: string } {
    const isAutomatic = cause.mode === 'automatic';
    const asked = { to, epoch: plan.epoch - 1, isAutomatic, isForced };
    const switched = switchTo(this.#book.state, asked, Date.now());
    if (switched.kind === 'unfit') return switched;
    if (switched.kind === 'stale') {
      const why = `Another switch came before: the epoch is ${switched.epoch}.`;
      return { kind: 'refused', code: 'stale_epoch', why };
    }
    const event = this.#entry(plan, cause, { success: true, target: to, error: null });
    this.#book.commit(switched.state, [], () => this.#write(event));
    return { kind: 'done', event };
  }

  #entry(plan: FailoverPlan, cause: Cause, { success, target, error }: Outcome): FailoverEntry {
    const now = Date.now();
    return {
      event_id: crypto.randomUUID(),
      from_region: plan.from_region,
      to_region: target,
      timestamp: isoOf(now),
      reason: cause.reason,
      triggered_by: cause.triggeredBy,
      success,
      mode: cause.mode,
      epoch: success ? plan.epoch : plan.epoch - 1,
      detected_at: isoOf(cause.detectedAt),
      duration_ms: now - cause.detectedAt,
      error,
      candidates: plan.ranked_candidates,
      excluded: plan.excluded,
    };
  }

  #record(event: FailoverEntry): void {
    this.#book.commit(this.#book.state, [], () => this.#write(event));
  }

  #write(event: FailoverEntry): void {
    this.#book.store.addFailover(event);
    const { from_region, to_region, epoch, mode, reason, success, event_id } = event;
    this.#book.addEvent({
      type: 'failover.executed',
      subject: from_region,
      data: { event_id, from_region, to_region, epoch, mode, reason, success },
    });
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
