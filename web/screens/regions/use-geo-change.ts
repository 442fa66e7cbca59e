import { useMutation, useQueryClient } from '@tanstack/react-query';
import { GEO_KEY } from '../../api/geo.ts';
import { useServices } from '../../app/services.ts';

interface GeoChange<In, Out> {
  readonly change: (input: In) => Promise<Out>;
  /** The toast after success. */
  readonly said: (output: Out) => string;
  readonly onDone?: () => void;
}

/** A mutation of regions that refetches everything, even after a refusal. */
export function useGeoChange<In = void, Out = void>({ change, said, onDone }: GeoChange<In, Out>) {
  const { toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess(output) {
      toasts.show(said(output), 'good');
      onDone?.();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: GEO_KEY }),
  });
}
