import { useQuery } from '@tanstack/react-query';
import { modelQuery } from '../api/model-queries.ts';
import { ErrorState } from '../ui/ErrorState.tsx';

interface MissingModelProps {
  /** `id@version` or `id`, as an address names it; empty where it names none. */
  readonly model: string;
}

/**
 * Stands below a list of models where the address names one that the list does not show: it may only
 * be on a later page of the registry, or not be there at all, which this says.
 */
export function MissingModel({ model }: MissingModelProps) {
  const { id, version } = partsOf(model);
  const { error, data, refetch } = useQuery({ ...modelQuery(id, version), enabled: id !== '' });
  if (!error || data) return null;
  return <ErrorState error={error} onRetry={() => void refetch()} />;
}

interface Parts {
  readonly id: string;
  /** Empty for the default one. */
  readonly version: string;
}

function partsOf(model: string): Parts {
  const at = model.lastIndexOf('@');
  return at < 0
    ? { id: model, version: '' }
    : { id: model.slice(0, at), version: model.slice(at + 1) };
}
