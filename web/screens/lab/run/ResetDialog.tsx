import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useLabText } from '../lab-text.ts';
import { pageLab } from '../lab-store.ts';
import { Row } from '../../../ui/Layout.tsx';

interface ResetDialogProps {
  /** Steps that are nowhere but in the run. */
  readonly unsaved: number;
  readonly onClose: () => void;
}

/** Asks before much training is thrown away. */
export function ResetDialog({ unsaved, onClose }: ResetDialogProps) {
  const { t } = useLabText();
  const reset = () => {
    pageLab().reset();
    onClose();
  };
  return (
    <Dialog title={t('run.resetAsk')} onClose={onClose}>
      <p>{t('run.resetAskBody', { count: unsaved })}</p>
      <Row align="stretch" justify="flex-end">
        <Button onClick={onClose}>{t('run.keep')}</Button>
        <Button tone="danger" icon="reset" onClick={reset}>
          {t('run.reset')}
        </Button>
      </Row>
    </Dialog>
  );
}
