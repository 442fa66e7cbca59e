import {
  LEASE_S,
  type TrainerAnnouncement,
  type TrainerDevice,
  type TrainerRecord,
} from './contract/trainer.ts';
import { allows, type Caller } from '../http/caller.ts';
import { isBeyond, mayChange, maySee, ownershipOf, type Used } from '../http/ownership.ts';
import { ulid } from '../http/ulid.ts';
import type { PlaceableTrainer } from './placement.ts';
import type { Outcome } from './state.ts';
import { type StoredTrainer, TrainerStore } from './trainer-store.ts';

export type ShownTrainer = TrainerRecord & PlaceableTrainer;

/** Trainers that are stored; one that was not seen for a week is removed. */
const MAX_TRAINERS = 1000;
const RETENTION_MS = 7 * 24 * 3600 * 1000;
/** How often sightings are written. */
const FLUSH_MS = 60_000;

/** The state of a trainer that heartbeats report besides its job. */
interface Sighting {
  readonly device?: TrainerDevice | undefined;
  readonly load?: number | undefined;
}

interface TrainerContext {
  /** The jobs that each trainer holds. */
  readonly held: () => ReadonlyMap<string, readonly string[]>;
  /** Whether a trainer waits for a job now. */
  readonly isWaiting: (trainerId: string) => boolean;
}

/** The principal that announces a trainer, and its limits. */
export interface Announcer {
  readonly caller: Caller;
  readonly limits: Used;
}

export type Announced =
  | { readonly kind: 'created' | 'updated'; readonly trainer: TrainerRecord }
  | { readonly kind: 'full' | 'no-trainer' }
  | { readonly kind: 'over'; readonly used: Used }
  | { readonly kind: 'denied'; readonly owner: string };

/**
 * The trainers. When one was last seen, and its load, are buffered in memory and written once a minute: a
 * crash loses that until the next sign of life.
 */
export class Trainers {
  readonly #store: TrainerStore;
  readonly #around: TrainerContext;
  readonly #sightings = new Map<string, Sighting & { readonly at: number }>();
  #flushedAt = 0;

  constructor(sql: SqlStorage, around: TrainerContext) {
    this.#store = new TrainerStore(sql);
    this.#around = around;
  }

  /** Registers or updates a trainer. A caller that takes over another's trainer owns it from then on. */
  announce(request: TrainerAnnouncement, { caller, limits }: Announcer, now: number): Announced {
    this.#store.removeUnseenSince(now - RETENTION_MS);
    const { trainer_id: known, ...announcement } = request;
    const before = known === undefined ? undefined : this.#store.find(known);
    const refusal = before ? refusedTo(caller, before) : this.#refusedNew(caller, limits);
    if (refusal) return refusal;
    const trainerId = known ?? `trn_${ulid(now)}`;
    const { owner: createdBy, team } = ownershipOf(caller);
    const servesAll = allows(caller, 'admin');
    const fresh = { registeredAt: now, idleSince: now, isDraining: false, succeeded: 0, failed: 0 };
    const whose = { createdBy, team, servesAll };
    this.#store.put({ ...fresh, ...before, ...whose, trainerId, announcement, lastSeenAt: now });
    this.#sightings.delete(trainerId);
    const trainer = this.find(trainerId, now);
    if (!trainer) throw new Error(`${trainerId} was stored and cannot be found`);
    return { kind: before ? 'updated' : 'created', trainer };
  }

  all(now: number): readonly ShownTrainer[] {
    const held = this.#around.held();
    return this.#store.all().map((stored) => this.#shown(stored, held, now));
  }

  find(id: string, now: number): ShownTrainer | undefined {
    const stored = this.#store.find(id);
    return stored && this.#shown(stored, this.#around.held(), now);
  }

  #refusedNew(caller: Caller, limits: Used): Announced | undefined {
    if (this.#store.count() >= MAX_TRAINERS) return { kind: 'full' };
    const used = this.#store.countOf(ownershipOf(caller));
    return isBeyond(limits, used) ? { kind: 'over', used } : undefined;
  }

  ownerOf(id: string): string | undefined {
    return this.#store.find(id)?.createdBy;
  }

  /** Records whether the present caller for a trainer may take jobs of all teams. */
  serveAll(id: string, servesAll: boolean): void {
    const stored = this.#store.find(id);
    if (stored && stored.servesAll !== servesAll) this.#store.put({ ...stored, servesAll });
  }

  drain(id: string, isDraining: boolean): void {
    const stored = this.#store.find(id);
    if (stored) this.#store.put({ ...stored, isDraining });
  }

  remove(id: string): void {
    this.#store.remove(id);
    this.#sightings.delete(id);
  }

  /** Records a sign of life of a trainer. */
  see(id: string, now: number, { device, load }: Sighting = {}): void {
    const before = this.#sightings.get(id);
    const sighting = { device: device ?? before?.device, load: load ?? before?.load, at: now };
    this.#sightings.set(id, sighting);
    if (now - this.#flushedAt >= FLUSH_MS) this.#flush(now);
  }

  noteEnd(id: string, outcome: Outcome, now: number): void {
    const stored = this.#store.find(id);
    if (!stored) return;
    const { succeeded, failed } = stored;
    this.#store.put({
      ...stored,
      succeeded: succeeded + (outcome === 'completed' ? 1 : 0),
      failed: failed + (outcome === 'failed' || outcome === 'lost' ? 1 : 0),
      idleSince: now,
    });
  }

  #flush(now: number): void {
    this.#flushedAt = now;
    for (const id of this.#sightings.keys()) {
      const stored = this.#store.find(id);
      if (stored) this.#store.put(this.#withSighting(stored));
    }
    this.#sightings.clear();
  }

  #withSighting(stored: StoredTrainer): StoredTrainer {
    const seen = this.#sightings.get(stored.trainerId);
    if (!seen) return stored;
    const { device = stored.announcement.device, load = stored.announcement.load, at } = seen;
    return { ...stored, announcement: { ...stored.announcement, device, load }, lastSeenAt: at };
  }

  #shown(
    written: StoredTrainer,
    held: ReadonlyMap<string, readonly string[]>,
    now: number,
  ): ShownTrainer {
    const stored = this.#withSighting(written);
    const { trainerId, announcement, isDraining, succeeded, failed, createdBy, team } = stored;
    const lastSeenAt = this.#around.isWaiting(trainerId) ? now : stored.lastSeenAt;
    const jobs = [...(held.get(trainerId) ?? [])];
    return {
      ...announcement,
      trainer_id: trainerId,
      status: statusOf({ isLost: now - lastSeenAt > LEASE_S * 1000, isDraining, jobs }),
      jobs,
      succeeded,
      failed,
      created_by: createdBy,
      owner: createdBy,
      team,
      all_teams: stored.servesAll,
      registered_at: new Date(stored.registeredAt).toISOString(),
      last_seen_at: new Date(lastSeenAt).toISOString(),
      idleSince: stored.idleSince,
    };
  }
}

interface Condition {
  readonly isLost: boolean;
  readonly isDraining: boolean;
  readonly jobs: readonly string[];
}

function statusOf({ isLost, isDraining, jobs }: Condition): TrainerRecord['status'] {
  if (isLost) return 'lost';
  if (isDraining) return 'draining';
  return jobs.length > 0 ? 'busy' : 'idle';
}

/** Whether a trainer takes jobs of a team; undefined matches all trainers. */
export const serves = (
  { team, all_teams: servesAll }: Pick<TrainerRecord, 'team' | 'all_teams'>,
  wanted: string | undefined,
): boolean => servesAll || wanted === undefined || team === wanted;

/** A trainer record without the fields of the placement, and without the jobs that are not visible. */
export function trainerRecord(
  shown: ShownTrainer,
  visibleJobs: ReadonlySet<string> | undefined,
): TrainerRecord {
  const { idleSince: _, ...record } = shown;
  const jobs = record.jobs.filter((id) => visibleJobs?.has(id) ?? true);
  return { ...record, jobs };
}

/** The refusal of a caller that speaks for another's trainer. */
function refusedTo(caller: Caller, { createdBy, team }: StoredTrainer): Announced | undefined {
  const whose = { owner: createdBy, team };
  if (!maySee(caller, whose)) return { kind: 'no-trainer' };
  return mayChange(caller, whose) ? undefined : { kind: 'denied', owner: createdBy };
}
