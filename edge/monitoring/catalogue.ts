import { METRIC_LIMITS, type MetricRefusal } from './contract/metrics.ts';
import { admit, type Admitted } from './admission.ts';
import { addDistributions, emptyLike } from './distribution.ts';
import { type Described, type Labels, refusal, type Sample, type Value } from './sample.ts';
import type { TimedValue } from './rollup.ts';

/** All series of one metric of one service. */
export interface Family extends Omit<Described, 'labels'> {
  readonly id: number;
  readonly series: Map<string, Series>;
}

export interface Series {
  readonly id: number;
  readonly labels: Labels;
  /** The newest sample. */
  latest: TimedValue | undefined;
}

/** An accepted sample and the points it becomes. */
export interface Taken {
  readonly family: Family;
  readonly series: Series;
  readonly points: readonly TimedValue[];
  readonly isNewFamily: boolean;
  readonly isNewSeries: boolean;
}

const isTaken = (result: Admitted | MetricRefusal): result is Admitted => 'value' in result;

/** Which series there are and their newest samples. It has no clock and no storage. */
export class Catalogue {
  readonly #families = new Map<string, Family>();
  readonly #seriesOfService = new Map<string, number>();
  #series = 0;
  #lastFamilyId = 0;
  #lastSeriesId = 0;

  get seriesCount(): number {
    return this.#series;
  }

  families(): Iterable<Family> {
    return this.#families.values();
  }

  /** The metrics of a service, or those of one name of every service. */
  find({
    service,
    name,
  }: {
    service?: string | undefined;
    name?: string | undefined;
  }): readonly Family[] {
    return [...this.#families.values()].filter(
      (family) =>
        (service === undefined || family.service === service) &&
        (name === undefined || family.name === name),
    );
  }

  /** Accepts a sample, or returns why it is refused. */
  take(sample: Sample, now: number): Taken | MetricRefusal {
    const admitted = admit(sample, now);
    if (!isTaken(admitted)) return admitted;
    const refused = this.#refuse(admitted);
    if (refused) return refused;
    const knownFamily = this.#families.get(familyKey(admitted));
    const family = knownFamily ?? this.addFamily({ ...admitted, id: this.#lastFamilyId + 1 });
    const { labels } = admitted;
    const knownSeries = family.series.get(labelsKey(labels));
    const series = knownSeries ?? this.addSeries(family, { id: this.#lastSeriesId + 1, labels });
    const points = pointsOf(admitted, series.latest);
    for (const point of points) {
      if (point.at >= (series.latest?.at ?? -Infinity)) series.latest = point;
    }
    return { family, series, points, isNewFamily: !knownFamily, isNewSeries: !knownSeries };
  }

  /** The conflict of a sample with existing metrics, if any. */
  #refuse(sample: Admitted): MetricRefusal | undefined {
    const { name, service, type, place, labels } = sample;
    const known = this.#families.get(familyKey(sample));
    if (known && known.type !== type) {
      const detail = `${name} of ${service} is a ${known.type}, not a ${type}`;
      return refusal('type_conflict', place, detail);
    }
    const full = known?.series.has(labelsKey(labels)) ? undefined : this.#isFull(sample);
    return full === undefined ? undefined : refusal('too_many_series', place, full);
  }

  addFamily({ id, service, name, type, unit, help }: Omit<Family, 'series'>): Family {
    const family = { id, service, name, type, unit, help, series: new Map() };
    this.#families.set(familyKey(family), family);
    this.#lastFamilyId = Math.max(this.#lastFamilyId, id);
    return family;
  }

  addSeries(family: Family, { id, labels }: Omit<Series, 'latest'>): Series {
    const series: Series = { id, labels, latest: undefined };
    family.series.set(labelsKey(labels), series);
    this.#lastSeriesId = Math.max(this.#lastSeriesId, id);
    this.#count(family.service, 1);
    return series;
  }

  /** Forgets series without a sample since `before`, and metrics without series; returns their ids. */
  forget(before: number): {
    readonly families: readonly number[];
    readonly series: readonly number[];
  } {
    const gone = { families: [] as number[], series: [] as number[] };
    for (const [key, family] of this.#families) {
      for (const [labels, { id, latest }] of family.series) {
        if (latest && latest.at >= before) continue;
        family.series.delete(labels);
        gone.series.push(id);
        this.#count(family.service, -1);
      }
      if (family.series.size > 0) continue;
      this.#families.delete(key);
      gone.families.push(family.id);
    }
    return gone;
  }

  #count(service: string, change: 1 | -1): void {
    this.#series += change;
    this.#seriesOfService.set(service, (this.#seriesOfService.get(service) ?? 0) + change);
  }

  #isFull({ service, name }: Admitted): string | undefined {
    const { series, seriesPerService } = METRIC_LIMITS;
    if ((this.#seriesOfService.get(service) ?? 0) >= seriesPerService) {
      return `${name} would be series number ${seriesPerService + 1} of ${service}: do its labels vary without end?`;
    }
    return this.#series >= series ? `all ${series} series are in use` : undefined;
  }
}

const familyKey = ({ service, name }: Pick<Family, 'service' | 'name'>) => `${service} ${name}`;

const labelsKey = (labels: Labels): string => JSON.stringify(Object.entries(labels));

/**
 * The points of a sample. A delta is added to the total so far; a new total starts with a 0 just before
 * it, so that its first increase counts.
 */
function pointsOf(sample: Admitted, latest: TimedValue | undefined): readonly TimedValue[] {
  const { at, value, temporality } = sample;
  if (temporality === 'cumulative') return [{ at, value }];
  if (latest) return [{ at: Math.max(at, latest.at), value: add(latest.value, value) }];
  return [
    { at: at - 1, value: typeof value === 'number' ? 0 : emptyLike(value) },
    { at, value },
  ];
}

function add(total: Value, more: Value): Value {
  if (typeof total === 'number') return typeof more === 'number' ? total + more : more;
  return typeof more === 'number' ? more : addDistributions(total, more);
}
