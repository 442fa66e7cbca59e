import { ALERTS_KEY } from '../../api/alerts.ts';
import { type ChangeOptions, useChange } from '../../app/use-change.ts';

/** Changes something about alerting, says so, and asks for all lists again. */
export const useAlertChange = <In = void, Out = void>(options: ChangeOptions<In, Out>) =>
  useChange(ALERTS_KEY, options);
