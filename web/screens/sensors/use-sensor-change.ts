import { SENSORS_KEY } from '../../api/sensors.ts';
import { type ChangeOptions, useChange } from '../../app/use-change.ts';

/** Changes which sensors there are, says so, and asks for all of them again. */
export const useSensorChange = <In, Out>(options: ChangeOptions<In, Out>) =>
  useChange(SENSORS_KEY, options);
