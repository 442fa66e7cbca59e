import type { Env } from '../env.ts';
import type { Remote } from '../storage/remote.ts';
import type { Sensors } from './object.ts';

/** The one object of an owner: nothing of another can be in it. */
export const sensorsOf = ({ SENSORS }: Pick<Env, 'SENSORS'>, owner: string): Remote<Sensors> =>
  SENSORS.getByName<Sensors>(owner);
