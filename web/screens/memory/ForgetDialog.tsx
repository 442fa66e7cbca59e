import { type FormEvent, useState } from 'react';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useMemoryText } from './words/en-memory.ts';

interface ForgetDialogProps {
  readonly title: string;
  /** The name to type as a confirmation. */
  readonly name: string;
  /** The numbers of what is deleted. */
  readonly facts: readonly Fact[];
  /** The address of an export of the same. */
  readonly exportUrl: string;
  readonly state: 'ready' | 'pending';
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Confirms a permanent deletion by typing a name. */
export function ForgetDialog(props: ForgetDialogProps) {
  const { title, name, facts, exportUrl, state, error, onConfirm, onClose } = props;
  const { t } = useMemoryText();
  const [written, setWritten] = useState('');
  const isSame = written.normalize('NFC') === name.normalize('NFC');
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (isSame && state === 'ready') onConfirm();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack as="form" onSubmit={confirm}>
        <p>{t('forget.goes')}</p>
        <Facts facts={facts} />
        <TextField
          label={t('forget.type', { name })}
          value={written}
          error={
            written !== '' && !name.startsWith(written) ? t('forget.wrong', { name }) : undefined
          }
          onChange={setWritten}
        />
        {error !== null && <ErrorState error={error} />}
        <DialogActions>
          <a className={buttonClass('secondary')} href={exportUrl} download={`${name}.jsonl`}>
            <Icon name="download" size="small" />
            {t('forget.export')}
          </a>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            type="submit"
            tone="danger"
            state={isSame && state === 'ready' ? 'ready' : 'blocked'}
          >
            {t('forget.do')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
