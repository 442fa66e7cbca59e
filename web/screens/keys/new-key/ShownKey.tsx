import { useCopy } from '../../../app/use-copy.ts';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { Button } from '../../../ui/Button.tsx';
import css from '../Keys.module.css';
import { useKeysText } from '../words/en-keys.ts';

interface ShownKeyProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** A key that was made a moment ago. */
export function ShownKey({ secret, onClose }: ShownKeyProps) {
  const { t } = useKeysText();
  const copy = useCopy();

  return (
    <>
      <p className={css['warning']}>{t('new.once')}</p>
      <div className={css['secret']}>
        <span className={css['legend']}>{t('new.key')}</span>
        <code>{secret}</code>
      </div>
      <DialogActions>
        <Button icon="copy" onClick={() => void copy(secret)}>
          {t('new.copy')}
        </Button>
        <Button tone="primary" icon="check" onClick={onClose}>
          {t('new.close')}
        </Button>
      </DialogActions>
    </>
  );
}
