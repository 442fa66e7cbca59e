import type { Env } from '../env.ts';
import type { Monitoring } from '../objects/monitoring-object.ts';
import type { Remote } from '../objects/remote.ts';

export type MonitoringCalls = Remote<
  Pick<
    Monitoring,
    | 'count'
    | 'evaluate'
    | 'exposition'
    | 'history'
    | 'record'
    | 'recordDurably'
    | 'select'
    | 'series'
    | 'size'
    | 'typesOf'
  >
>;

/** One object holds the metrics of the whole platform; it is a `MetricSource`. */
export function monitoringOf({ MONITORING }: Pick<Env, 'MONITORING'>): MonitoringCalls {
  return MONITORING.getByName('main') as unknown as MonitoringCalls;
}
