import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Env } from '../env.ts';
import { allows, type Caller } from '../http/caller.ts';
import { teamOf } from '../http/ownership.ts';
import type { Monitoring } from './object.ts';
import { MAIN, type Remote } from '../storage/remote.ts';
import type { Sample } from './sample.ts';

/**
 * Samples with the label `team` as the platform knows it, whatever their sender says: what a team
 * pushes is in no series of another one, nor of the platform. Those of the default team have none.
 */
export function labelledFor(caller: Caller, samples: readonly Sample[]): readonly Sample[] {
  if (allows(caller, 'admin')) return samples;
  const team = teamOf(caller);
  const own = team === DEFAULT_TEAM ? {} : { team };
  return samples.map((sample) => {
    const { team: _said, ...labels } = sample.labels;
    return { ...sample, labels: { ...labels, ...own } };
  });
}

/** One object holds the metrics of the whole platform; it is a `MetricSource`. */
export function monitoringOf({ MONITORING }: Pick<Env, 'MONITORING'>): Remote<Monitoring> {
  return MONITORING.getByName<Monitoring>(MAIN);
}
