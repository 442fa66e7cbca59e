import type { LoadedModel, ModelState } from '../../../../edge/inference/contract/loaded-model.ts';
import { Badge, type BadgeTone } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { RelativeTime } from '../../../ui/RelativeTime.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import css from '../Playground.module.css';
import { usePlaygroundText, type PlaygroundText } from '../playground-text.ts';
import { nameOf } from './use-loading.ts';
import { Note, Stack } from '../../../ui/Layout.tsx';

interface Actions {
  readonly onPin: (model: LoadedModel) => void;
  readonly onUnload: (model: LoadedModel) => void;
}

interface LoadedTableProps extends Actions {
  readonly models: readonly LoadedModel[];
}

export function LoadedTable({ models, ...actions }: LoadedTableProps) {
  const text = usePlaygroundText();
  return (
    <Table
      caption={text.t('loaded.title')}
      columns={columnsOf(text, actions)}
      rows={models}
      rowKey={nameOf}
    />
  );
}

const TONES: Readonly<Record<ModelState, BadgeTone>> = {
  READY: 'good',
  LOADING: 'neutral',
  UNLOADING: 'neutral',
  UNAVAILABLE: 'bad',
};

function columnsOf(text: PlaygroundText, actions: Actions): readonly Column<LoadedModel>[] {
  const { t } = text;
  return [
    { key: 'model', title: t('loaded.model'), cell: (model) => <Model model={model} /> },
    { key: 'state', title: t('loaded.state'), cell: (model) => <State model={model} /> },
    {
      key: 'requests',
      title: t('loaded.requests'),
      align: 'end',
      cell: ({ requests, hits }) => t('loaded.requestsOf', { count: requests, hits }),
    },
    {
      key: 'used',
      title: t('loaded.used'),
      align: 'end',
      cell: ({ last_used_at: time }) =>
        time === null ? t('loaded.never') : <RelativeTime time={time} />,
    },
    {
      key: 'actions',
      title: t('loaded.actions'),
      align: 'end',
      cell: (model) => <RowActions model={model} {...actions} />,
    },
  ];
}

function Model({ model }: { readonly model: LoadedModel }) {
  const { format } = usePlaygroundText();
  const { device, size_bytes: size } = model;
  return (
    <Stack as="span" gap={0} style={{ minWidth: '8rem' }}>
      <code>{nameOf(model)}</code>
      <Note as="span" lang="en">
        {device}
      </Note>
      {size !== null && <Note as="span">{format.bytes(size)}</Note>}
    </Stack>
  );
}

function State({ model: { state, reason, pinned } }: { readonly model: LoadedModel }) {
  const { t } = usePlaygroundText();
  return (
    <span className={css['states']}>
      <Badge tone={TONES[state]}>{t(`loaded.${state}`)}</Badge>
      {pinned && <Badge tone="neutral">{t('loaded.pinned')}</Badge>}
      {state === 'UNAVAILABLE' && <span lang="en">{reason}</span>}
    </span>
  );
}

interface RowActionsProps extends Actions {
  readonly model: LoadedModel;
}

function RowActions({ model, onPin, onUnload }: RowActionsProps) {
  const { t } = usePlaygroundText();
  const name = { model: nameOf(model) };
  if (model.state !== 'READY') return null;
  return (
    <span className={css['rowActions']}>
      <Button
        tone="quiet"
        aria-label={t(model.pinned ? 'loaded.unpin' : 'loaded.pin', name)}
        onClick={() => onPin(model)}
      >
        {t(model.pinned ? 'loaded.unpinShort' : 'loaded.pinShort')}
      </Button>
      <Button tone="quiet" aria-label={t('loaded.unload', name)} onClick={() => onUnload(model)}>
        {t('loaded.unloadShort')}
      </Button>
    </span>
  );
}
