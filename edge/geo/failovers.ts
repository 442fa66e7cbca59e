import { preconditionOf } from '../http/conditional.ts';
import type { FailoverEntry, FailoverInput, FailoverPlan } from './contract/failover.ts';
import type { ActiveRegionChange } from './contract/region.ts';
import { type FailoverRequest, planFailover, type Planned } from './failover-plan.ts';
import { type Due, outageOf, switchTo } from './machine.ts';
import type { ActiveResult } from './state.ts';
import { type GeoRepository, isoOf } from './repository.ts';

export type FailoverResult = { readonly kind: 'done'; readonly event: FailoverEntry } | Planned;

/**
 * Closes the store of a region to everything decided before an epoch. @throws where it cannot be
 * reached
 */
type Seal = (regionId: string, epoch: number) => Promise<void>;

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
 * Executes failovers: plan, seal the target's store with the new epoch, switch, record. Sealing is
 * asynchronous; if another failover switches meanwhile, the plan is stale.
 */
export class GeoFailovers {
  readonly #repository: GeoRepository;
  readonly #seal: Seal;

  constructor(repository: GeoRepository, seal: Seal) {
    this.#repository = repository;
    this.#seal = seal;
  }

  plan(request: FailoverRequest): Planned {
    return planFailover(this.#repository.state, request, this.#repository.facts(Date.now()));
  }

  manual(input: FailoverInput): Promise<FailoverResult> {
    const { from_region, to_region, force, expected_epoch, reason, triggered_by } = input;
    const request = { from: from_region, to: to_region, force, expectedEpoch: expected_epoch };
    return this.#execute(request, {
      mode: 'manual',
      reason: reason === '' ? 'requested by an operator' : reason,
      triggeredBy: triggered_by,
      detectedAt: Date.now(),
    });
  }

  /**
   * Where no region can take over, that is recorded once per outage and retried at each check.
   *
   * @returns whether a failover was attempted
   */
  async automatic(due: Due): Promise<boolean> {
    const { from, detectedAt, reason } = due;
    const planned = this.plan({ from });
    const hasTarget = planned.kind === 'planned' && planned.plan.target !== null;
    const isKnown = this.#repository.state.givenUp === outageOf(due);
    if (hasTarget ? due.isTooSoon : isKnown) return false;
    const cause: Cause = { mode: 'automatic', reason, triggeredBy: 'geo-monitor', detectedAt };
    const result = await this.#execute({ from }, cause, isKnown);
    if (result.kind === 'done' && !result.event.success) {
      this.#repository.commit({ ...this.#repository.state, givenUp: outageOf(due) });
    }
    return result.kind === 'done';
  }

  /** @param isKnown whether it is already recorded that no region can take over */
  async #execute(request: FailoverRequest, cause: Cause, isKnown = false): Promise<FailoverResult> {
    const planned = this.plan(request);
    if (planned.kind === 'refused') return planned;
    const { plan } = planned;
    const targets = request.to === undefined ? plan.ranked_candidates : [{ region_id: request.to }];
    const errors: string[] = [];
    for (const { region_id: to } of targets) {
      try {
        await this.#seal(to, plan.epoch);
      } catch (error) {
        errors.push(`the store of ${to} cannot be sealed: ${messageOf(error)}`);
        continue;
      }
      const result = this.#switch(plan, to, { cause, isForced: request.force === true });
      if (result.kind !== 'unfit') return result;
      errors.push(result.why);
    }
    const error = errors.length > 0 ? errors.join('; ') : 'no region can take over';
    if (isKnown) return { kind: 'refused', code: 'target_not_online', why: error };
    const event = this.#entry(plan, cause, { success: false, target: request.to ?? null, error });
    this.#record(event);
    return { kind: 'done', event };
  }

  #switch(
    plan: FailoverPlan,
    to: string,
    { cause, isForced }: { readonly cause: Cause; readonly isForced: boolean },
  ): FailoverResult | { readonly kind: 'unfit'; readonly why: string } {
    const isAutomatic = cause.mode === 'automatic';
    const request = { to, epoch: plan.epoch - 1, isAutomatic, isForced };
    const switched = switchTo(this.#repository.state, request, Date.now());
    if (switched.kind === 'unfit') return switched;
    if (switched.kind === 'stale') {
      const why = `Another switch came before: the epoch is ${switched.epoch}.`;
      return { kind: 'refused', code: 'stale_epoch', why };
    }
    const event = this.#entry(plan, cause, { success: true, target: to, error: null });
    this.#repository.commit(switched.state, [], () => this.#write(event));
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
    this.#repository.commit(this.#repository.state, [], () => this.#write(event));
  }

  #write(event: FailoverEntry): void {
    this.#repository.store.addFailover(event);
    const { from_region, to_region, epoch, mode, reason, success, event_id } = event;
    this.#repository.addEvent({
      type: 'failover.executed',
      subject: from_region,
      data: { event_id, from_region, to_region, epoch, mode, reason, success },
    });
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

interface Set {
  readonly result: ActiveResult;
  /** The failover that was executed, including a failed one. */
  readonly event?: FailoverEntry;
}

/** The active region as a record: its ETag is the epoch, and changing it is a failover. */
export class GeoActive {
  readonly #repository: GeoRepository;
  readonly #failovers: GeoFailovers;

  constructor(repository: GeoRepository, failovers: GeoFailovers) {
    this.#repository = repository;
    this.#failovers = failovers;
  }

  show(isSwitched = false): ActiveResult | undefined {
    const record = this.#repository.active(Date.now());
    return record && { kind: 'done', isSwitched, record, etag: `"${record.epoch}"` };
  }

  /** No effect where the region is active already. */
  async set(change: ActiveRegionChange, by: string, ifMatch: string | null): Promise<Set> {
    const { region_id: to, expected_epoch } = change;
    const { active, epoch } = this.#repository.state;
    const etag = `"${epoch}"`;
    const headers = new Headers(ifMatch === null ? {} : { 'if-match': ifMatch });
    if (preconditionOf(headers, etag) === 'failed') return { result: { kind: 'changed', etag } };
    const isStale = expected_epoch !== undefined && expected_epoch !== epoch;
    if (active === null || (active === to && !isStale)) {
      return { result: this.show() ?? noRegion(to) };
    }
    return this.#switch(active, change, by);
  }

  async #switch(active: string, change: ActiveRegionChange, by: string): Promise<Set> {
    const { region_id: to, expected_epoch, force } = change;
    const done = await this.#failovers.manual({
      from_region: active,
      to_region: to,
      force,
      expected_epoch,
      reason: 'set as active',
      triggered_by: by,
    });
    if (done.kind === 'refused') return { result: done };
    if (done.kind === 'planned') return { result: noRegion(to) };
    const { event } = done;
    if (event.success) return { result: this.show(true) ?? noRegion(to), event };
    const why = event.error ?? '';
    return { result: { kind: 'refused', code: 'target_not_online', why }, event };
  }
}

const noRegion = (regionId: string): ActiveResult => ({
  kind: 'refused',
  code: 'region_not_found',
  why: `There is no region ${regionId}.`,
});
