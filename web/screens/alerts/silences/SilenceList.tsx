import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Silence } from '../../../../edge/alerts/contract/alert-silence.ts';
import { expireSilence, silencesQuery } from '../../../api/alerts.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Table, type Column } from '../../../ui/Table.tsx';
import css from '../Alerts.module.css';
import { useAlertsText, type AlertsText } from '../alerts-text.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { writeMatchers } from '../matchers.ts';
import { StateBadge } from '../StateBadge.tsx';
import { SilenceDialog } from './SilenceDialog.tsx';

/** The silences there are, those of before among them. */
export function SilenceList() {
  const { t } = useAlertsText();
  const { data, error, refetch } = useQuery(silencesQuery);
  const [isMaking, setIsMaking] = useState(false);
  const [ending, setEnding] = useState<Silence>();
  return (
    <div className={css['stack']}>
      <div className={css['bar']}>
        <Button tone="primary" onClick={() => setIsMaking(true)}>
          {t('silences.new')}
        </Button>
      </div>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton lines={4} lineRem={3} />}
      {data && <Silences silences={data.silences} onEnd={setEnding} />}
      {isMaking && <SilenceDialog matchers="" onClose={() => setIsMaking(false)} />}
      {ending && (
        <ConfirmDialog
          title={t('silences.expireTitle')}
          body={t('silences.expireBody', { matchers: writeMatchers(ending.matchers) })}
          confirm={t('silences.expire')}
          said={t('silences.expired')}
          onConfirm={() => expireSilence(ending.id)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </div>
  );
}

interface SilencesProps {
  readonly silences: readonly Silence[];
  readonly onEnd: (silence: Silence) => void;
}

function Silences({ silences, onEnd }: SilencesProps) {
  const text = useAlertsText();
  if (silences.length === 0) {
    return <EmptyState title={text.t('silences.none')}>{text.t('silences.noneHelp')}</EmptyState>;
  }
  return (
    <Table
      caption={text.t('tab.silences')}
      columns={silenceColumns(text, onEnd)}
      rows={silences}
      rowKey={({ id }) => id}
    />
  );
}

function silenceColumns(
  { t, format }: AlertsText,
  onEnd: (silence: Silence) => void,
): readonly Column<Silence>[] {
  return [
    {
      key: 'matchers',
      title: t('silences.matchers'),
      cell: ({ matchers }) => <code className={css['expr']}>{writeMatchers(matchers)}</code>,
    },
    { key: 'state', title: t('list.state'), cell: ({ state }) => <StateBadge state={state} /> },
    {
      key: 'until',
      title: t('silences.until'),
      cell: ({ ends_at: end }) => format.dateTime(new Date(end)),
    },
    { key: 'by', title: t('silences.by'), cell: (silence) => silence.created_by },
    { key: 'comment', title: t('silences.comment'), cell: ({ comment }) => comment },
    {
      key: 'actions',
      title: t('silences.actions'),
      align: 'end',
      cell: (silence) =>
        silence.state === 'expired' ? null : (
          <Button tone="quiet" onClick={() => onEnd(silence)}>
            {t('silences.expire')}
          </Button>
        ),
    },
  ];
}
