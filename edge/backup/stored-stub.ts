import type { KeptClass, KeptObject } from './contract/backup.ts';
import type { Env } from '../env.ts';
import type { Remote } from '../storage/remote.ts';
import { RESTORED, type StoredObject } from '../storage/stored-object.ts';

/** By which name each class is bound. */
const BINDINGS = {
  Registry: 'REGISTRY',
  Training: 'TRAINING',
  Datasets: 'DATASETS',
  Alerts: 'ALERTS',
  Monitoring: 'MONITORING',
  Traces: 'TRACES',
  LogHub: 'LOG_HUB',
  Geo: 'GEO',
  RegionStore: 'REGION_STORES',
  Discovery: 'DISCOVERY',
  Memory: 'MEMORY',
  MemoryDirectory: 'MEMORY_DIRECTORY',
  Sensors: 'SENSORS',
  Gateway: 'GATEWAY',
  Access: 'ACCESS',
} as const satisfies Record<KeptClass, keyof Env>;

/** An object as backups see it, whatever its class. */
export const storedOf = (env: Env, { class: kind, name }: KeptObject): Remote<StoredObject> =>
  env[BINDINGS[kind]].getByName<StoredObject>(name);

/** An object that was restored ends before it can say so: asked again, it does. */
export async function afterRestart<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!String(error).includes(RESTORED)) throw error;
    return ask();
  }
}
