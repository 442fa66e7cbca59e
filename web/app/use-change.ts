import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from './services.ts';

interface ChangeOptions<In, Out> {
  readonly change: (input: In) => Promise<Out>;
  /** The message on success. */
  readonly said: (output: Out) => string;
  readonly onDone?: (output: Out) => void;
  /** The query of the deleted resource: it stays on screen until the page has moved on, and is not fetched again. */
  readonly gone?: QueryKey;
}

/** Changes something, says so, and asks again for all that is under a key. */
export function useChange<In, Out>(
  queryKey: QueryKey,
  { change, said, onDone, gone }: ChangeOptions<In, Out>,
) {
  const { toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess(output) {
      toasts.show(said(output), 'good');
      onDone?.(output);
      if (gone) queries.removeQueries({ queryKey: gone });
      await queries.invalidateQueries({ queryKey });
    },
  });
}
