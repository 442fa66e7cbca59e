import type { FailoverEntry } from './contract/failover.ts';
import type { ActiveRegionChange } from './contract/region.ts';
import { preconditionOf } from '../http/conditional.ts';
import type { GeoBook } from './store-state.ts';
import type { GeoFailovers } from './failovers.ts';
import type { ActiveResult } from './results.ts';

interface Set {
  readonly result: ActiveResult;
  /** The failover it took, also one that failed. */
  readonly event?: FailoverEntry;
}

/** The active region as a record: its ETag is the epoch, and to change it is a failover. */
export class GeoActive {
  readonly #book: GeoBook;
  readonly #failovers: GeoFailovers;

  constructor(book: GeoBook, failovers: GeoFailovers) {
    this.#book = book;
    this.#failovers = failovers;
  }

  show(isSwitched = false): ActiveResult | undefined {
    const record = this.#book.active(Date.now());
    return record && { kind: 'done', isSwitched, record, etag: `"${record.epoch}"` };
  }

  /** Nothing changes where the region is active already. */
  async set(change: ActiveRegionChange, by: string, ifMatch: string | null): Promise<Set> {
    const { region_id: to, expected_epoch } = change;
    const { active, epoch } = this.#book.state;
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
