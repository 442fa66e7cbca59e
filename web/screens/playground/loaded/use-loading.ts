import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LoadedModel } from '../../../../edge/inference/contract/loaded-model.ts';
import { loadedModelsQuery, loadModel, unloadModel } from '../../../api/inference.ts';
import { useServices } from '../../../app/services.ts';
import { type Target } from '../exchanges/question.ts';
import { usePlaygroundText } from '../playground-text.ts';

export type LoadedVersion = Pick<LoadedModel, 'model_id' | 'version'>;

export const nameOf = ({ model_id: id, version }: LoadedVersion): string => `${id}@${version}`;

/** Loads a model, and says what had to go for it. */
export function useLoading() {
  const { t, format } = usePlaygroundText();
  return useChange({
    change: ({ modelId, version, alias }: Target) =>
      loadModel(modelId, {
        ...(version !== undefined && { version }),
        ...(alias !== undefined && { alias }),
      }),
    said: ({ model_id, version, evicted }) => {
      const model = nameOf({ model_id, version });
      if (evicted.length === 0) return t('loaded.saidLoaded', { model });
      return t('loaded.saidEvicted', { model, evicted: format.list(evicted) });
    },
  });
}

/** Pins a loaded model, or lets it go when it has to make room. */
export function usePinning() {
  const { t } = usePlaygroundText();
  return useChange({
    async change({ model_id: id, version, pinned }: LoadedModel) {
      await loadModel(id, { version, pin: !pinned });
      return { model: nameOf({ model_id: id, version }), isPinned: !pinned };
    },
    said: ({ model, isPinned }) =>
      t(isPinned ? 'loaded.saidPinned' : 'loaded.saidUnpinned', { model }),
  });
}

export function useUnloading(onDone: () => void) {
  const { t } = usePlaygroundText();
  return useChange({
    change: ({ model_id: id, version }: LoadedVersion) => unloadModel(id, version),
    said: ({ model_id, version }) =>
      t('loaded.saidUnloaded', { model: nameOf({ model_id, version }) }),
    onDone,
  });
}

interface ChangeOptions<In, Out> {
  readonly change: (input: In) => Promise<Out>;
  /** The message on success. */
  readonly said: (output: Out) => string;
  readonly onDone?: () => void;
}

/** Changes something about the cache, says so, and asks for what is in it again. */
function useChange<In, Out>({ change, said, onDone }: ChangeOptions<In, Out>) {
  const { toasts } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess(output) {
      toasts.show(said(output), 'good');
      onDone?.();
      await queries.invalidateQueries(loadedModelsQuery);
    },
  });
}
