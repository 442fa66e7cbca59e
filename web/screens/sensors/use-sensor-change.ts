import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SENSORS_KEY } from '../../api/sensors.ts';
import { useServices } from '../../app/services.ts';

export interface SensorChange<In, Out> {
  readonly change: (input: In) => Promise<Out>;
  /** What to say when it is done. */
  readonly said: (output: Out) => string;
  readonly onDone: (output: Out) => void;
}

/** Changes which sensors there are, says so, and asks for all of them again. */
export function useSensorChange<In, Out>({ change, said, onDone }: SensorChange<In, Out>) {
  const { toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess(output) {
      toasts.show(said(output), 'good');
      onDone(output);
      await queries.invalidateQueries({ queryKey: SENSORS_KEY });
    },
  });
}
