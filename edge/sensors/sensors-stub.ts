import type { Env } from '../env.ts';
import type { Remote } from '../storage/remote.ts';
import type { Sensors } from './object.ts';

type Calls = Remote<
  Pick<Sensors, 'find' | 'follow' | 'list' | 'range' | 'register' | 'remove' | 'series' | 'store'>
>;

/** The one object of an owner: nothing of another can be in it. */
export const sensorsOf = ({ SENSORS }: Pick<Env, 'SENSORS'>, owner: string): Calls =>
  SENSORS.getByName(owner) as unknown as Calls;
