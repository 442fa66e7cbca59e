import { useState } from 'react';
import type {
  LoadedModel,
  LoadedModels,
} from '../../../../edge/inference/contract/loaded-model.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ProgressBar } from '../../../ui/ProgressBar.tsx';
import { parseTarget } from '../exchanges/question.ts';
import css from '../Playground.module.css';
import { usePlaygroundText } from '../playground-text.ts';
import { LoadedTable } from './LoadedTable.tsx';
import { UnloadDialog } from './UnloadDialog.tsx';
import { nameOf, useLoading, usePinning } from './use-loading.ts';
import { Note } from '../../../ui/Layout.tsx';

interface LoadedPanelProps {
  readonly loaded: LoadedModels;
  /** `id@version` or `id@alias` of the form; empty where nothing is chosen. */
  readonly target: string;
}

/** The models in the cache of the inference service: what is there, and what has to stay. */
export function LoadedPanel({ loaded: { models, cache }, target }: LoadedPanelProps) {
  const { t } = usePlaygroundText();
  const [unloading, setUnloading] = useState<LoadedModel>();
  const pinning = usePinning();
  const places = t('loaded.cacheOf', { used: cache.used, count: cache.capacity });
  return (
    <Panel
      title={t('loaded.title')}
      note={t('loaded.note')}
      actions={<LoadButton models={models} target={target} />}
    >
      <div className={css['cache']}>
        <ProgressBar
          label={t('loaded.cache')}
          fraction={cache.used / Math.max(1, cache.capacity)}
          valueText={places}
        />
        <Note as="span">{places}</Note>
      </div>
      {pinning.isError && <ErrorState error={pinning.error} />}
      {models.length === 0 ? (
        <Note>{t('loaded.none')}</Note>
      ) : (
        <LoadedTable models={models} onPin={pinning.mutate} onUnload={setUnloading} />
      )}
      {unloading && <UnloadDialog model={unloading} onClose={() => setUnloading(undefined)} />}
    </Panel>
  );
}

interface LoadButtonProps {
  readonly models: readonly LoadedModel[];
  readonly target: string;
}

/** Loads what is chosen in the form, so that the first question need not wait for it. */
function LoadButton({ models, target }: LoadButtonProps) {
  const { t } = usePlaygroundText();
  const loading = useLoading();
  const choice = parseTarget(target);
  const isThere = models.some((model) => model.state === 'READY' && nameOf(model) === target);
  if (!choice || isThere) return null;
  return (
    <>
      <Button
        icon="download"
        state={loading.isPending ? 'blocked' : 'ready'}
        onClick={() => loading.mutate(choice)}
      >
        {t(loading.isPending ? 'loaded.loading' : 'loaded.load', { model: target })}
      </Button>
      {loading.isError && <ErrorState error={loading.error} />}
    </>
  );
}
