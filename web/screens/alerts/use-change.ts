import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ALERTS_KEY } from '../../api/alerts.ts';
import { useServices } from '../../app/services.ts';

export interface ChangeOptions<In, Out> {
  readonly change: (input: In) => Promise<Out>;
  /** What to say when it is done. */
  readonly said: (output: Out) => string;
  readonly onDone?: (output: Out) => void;
}

/** Changes something about alerting, says so, and asks for all lists again. */
export function useChange<In = void, Out = void>({ change, said, onDone }: ChangeOptions<In, Out>) {
  const { toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess(output) {
      toasts.show(said(output), 'good');
      onDone?.(output);
      await queries.invalidateQueries({ queryKey: ALERTS_KEY });
    },
  });
}
