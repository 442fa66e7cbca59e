import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Silence } from '../../../edge/alerts/contract/alert-silence.ts';
import { ALERTS_KEY, createSilence, expireSilence, silencesQuery } from '../../api/alerts.ts';
import { useChange } from '../../app/use-change.ts';
import { column, endColumn } from '../../records/columns.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Row, Stack } from '../../ui/Layout.tsx';
import { Resource } from '../../ui/Resource.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TextAreaField } from '../../ui/TextAreaField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { readDuration, readMatchers, writeMatchers } from './alert-syntax.ts';
import css from './Alerts.module.css';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { StateBadge } from './StateBadge.tsx';
import { type AlertsText, useAlertsText } from './words/en-alerts.ts';

/** All silences, including expired ones. */
export function SilenceList() {
  const text = useAlertsText();
  const { t } = text;
  const [isMaking, setIsMaking] = useState(false);
  const [ending, setEnding] = useState<Silence>();
  return (
    <Stack>
      <Row justify="space-between" gap={[2, 4]}>
        <Button tone="primary" onClick={() => setIsMaking(true)}>
          {t('silences.new')}
        </Button>
      </Row>
      <Resource
        query={useQuery(silencesQuery)}
        skeleton={{ lines: 4, lineRem: 3 }}
        isEmpty={({ silences }) => silences.length === 0}
        empty={<EmptyState title={t('silences.none')}>{t('silences.noneHelp')}</EmptyState>}
      >
        {({ silences }) => (
          <Table
            caption={t('tab.silences')}
            columns={silenceColumns(text, setEnding)}
            rows={silences}
            rowKey={({ id }) => id}
          />
        )}
      </Resource>
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
    </Stack>
  );
}

function silenceColumns(
  { t, format }: AlertsText,
  onEnd: (silence: Silence) => void,
): readonly Column<Silence>[] {
  return [
    column(t('silences.matchers'), ({ matchers }) => (
      <code className={css['expr']}>{writeMatchers(matchers)}</code>
    )),
    column(t('list.state'), ({ state }) => <StateBadge state={state} />),
    column(t('silences.until'), ({ ends_at: end }) => format.dateTime(new Date(end))),
    column(t('silences.by'), (silence) => silence.created_by),
    column(t('silences.comment'), ({ comment }) => comment),
    endColumn(t('silences.actions'), (silence) =>
      silence.state === 'expired' ? null : (
        <Button tone="quiet" onClick={() => onEnd(silence)}>
          {t('silences.expire')}
        </Button>
      ),
    ),
  ];
}

interface SilenceDialogProps {
  /** The initial matchers: the labels of an alert, or empty. */
  readonly matchers: string;
  readonly onClose: () => void;
}

/** Creates a silence for matching alerts. */
export function SilenceDialog({ matchers: initial, onClose }: SilenceDialogProps) {
  const { t, format } = useAlertsText();
  const [written, setWritten] = useState(initial);
  const [pendingFor, setLasting] = useState('2h');
  const [comment, setComment] = useState('');
  const matchers = readMatchers(written) ?? [];
  const seconds = readDuration(pendingFor) ?? 0;
  const create = useChange(ALERTS_KEY, {
    change: createSilence,
    said: ({ ends_at: end }) => t('silences.made', { time: format.dateTime(new Date(end)) }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('silences.new')}
      submit={t('silences.create')}
      isReady={matchers.length > 0 && seconds > 0}
      request={create}
      onSubmit={() => create.mutate({ matchers, duration_s: seconds, comment })}
      onClose={onClose}
    >
      <TextAreaField
        label={t('silences.matchers')}
        hint={t('silences.matcherHint')}
        error={written.trim() === '' || matchers.length > 0 ? undefined : t('silences.badMatchers')}
        value={written}
        onChange={setWritten}
      />
      <TextField
        label={t('silences.for')}
        hint={t('rule.durationHint')}
        error={seconds > 0 ? undefined : t('rule.badDuration')}
        value={pendingFor}
        onChange={setLasting}
      />
      <TextField
        label={t('silences.comment')}
        value={comment}
        maxLength={1024}
        onChange={setComment}
      />
    </FormDialog>
  );
}
