import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MEMORY_KEY } from '../../api/memory.ts';
import { useServices } from '../../app/services.ts';

export interface MemoryChange<In, Out> {
  readonly change: (input: In) => Promise<Out>;
  /** What to say when it is done. */
  readonly said: (output: Out) => string;
  readonly onDone?: (output: Out) => void;
}

/** Changes what is remembered, says so, and asks for all of it again. */
export function useMemoryChange<In = void, Out = void>(options: MemoryChange<In, Out>) {
  const { change, said, onDone } = options;
  const { toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess(output) {
      toasts.show(said(output), 'good');
      onDone?.(output);
      await queries.invalidateQueries({ queryKey: MEMORY_KEY });
    },
  });
}
