import { useState, type FormEvent } from 'react';
import { createSilence } from '../../../api/alerts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import css from '../Alerts.module.css';
import { useAlertsText } from '../alerts-text.ts';
import { readDuration } from '../duration.ts';
import { readMatchers } from '../matchers.ts';
import { useAlertChange } from '../use-alert-change.ts';

export interface SilenceDialogProps {
  /** What to begin with: the labels of an alert, or nothing. */
  readonly matchers: string;
  readonly onClose: () => void;
}

/** Keeps matching alerts from being told of for a time. */
export function SilenceDialog({ matchers: initial, onClose }: SilenceDialogProps) {
  const { t, format } = useAlertsText();
  const [written, setWritten] = useState(initial);
  const [lasting, setLasting] = useState('2h');
  const [comment, setComment] = useState('');
  const matchers = readMatchers(written) ?? [];
  const seconds = readDuration(lasting) ?? 0;
  const create = useAlertChange({
    change: createSilence,
    said: ({ ends_at: end }) => t('silences.made', { time: format.dateTime(new Date(end)) }),
    onDone: onClose,
  });
  const isReady = matchers.length > 0 && seconds > 0 && !create.isPending;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isReady) create.mutate({ matchers, duration_s: seconds, comment });
  }

  return (
    <Dialog title={t('silences.new')} onClose={onClose}>
      <form className={css['form']} onSubmit={submit}>
        <TextAreaField
          label={t('silences.matchers')}
          hint={t('silences.matcherHint')}
          error={
            written.trim() === '' || matchers.length > 0 ? undefined : t('silences.badMatchers')
          }
          value={written}
          onChange={setWritten}
        />
        <TextField
          label={t('silences.for')}
          hint={t('rule.durationHint')}
          error={seconds > 0 ? undefined : t('rule.badDuration')}
          value={lasting}
          onChange={setLasting}
        />
        <TextField
          label={t('silences.comment')}
          value={comment}
          maxLength={1024}
          onChange={setComment}
        />
        {create.isError && <ErrorState error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button type="submit" tone="primary" state={isReady ? 'ready' : 'blocked'}>
            {t('silences.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
