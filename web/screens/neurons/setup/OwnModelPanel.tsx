import { useId, useState } from 'react';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import bench from '../../../ui/Workbench.module.css';
import { useNeuronsText } from '../neurons-text.ts';
import { openOwnModel } from '../own-model.ts';

/** Longer code is no neuron model. */
const MAX_CHARACTERS = 200_000;

/** Tries a neuron model out of a file, or pasted: in a sandbox, and nowhere else. */
export function OwnModelPanel({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useNeuronsText();
  const id = useId();
  const [code, setCode] = useState('');
  const [message, setMessage] = useState<string | null>(null);

  async function open(given: string) {
    try {
      await openOwnModel(given);
      setMessage(null);
      onOpen();
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <Panel title={t('own.title')} note={t('own.note')}>
      <div className={bench['fields']}>
        <Button icon="open" onClick={() => document.getElementById(id)?.click()}>
          {t('own.open')}
        </Button>
        <input
          id={id}
          className="visually-hidden"
          type="file"
          accept=".js,.mjs,text/javascript"
          aria-label={t('own.open')}
          tabIndex={-1}
          onChange={(event) => {
            void event.target.files?.[0]?.text().then(open);
            // The same file may be chosen again once it was changed.
            event.target.value = '';
          }}
        />
        <details>
          <summary>{t('own.paste')}</summary>
          <TextAreaField
            label={t('own.code')}
            value={code}
            maxLength={MAX_CHARACTERS}
            onChange={setCode}
          />
          <DialogActions>
            <Button onClick={() => void open(code)}>{t('own.run')}</Button>
          </DialogActions>
        </details>
        {message !== null && <ErrorState error={new Error(t('own.failed', { message }))} />}
      </div>
    </Panel>
  );
}
