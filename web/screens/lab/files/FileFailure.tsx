import type { Failure } from '../../../lab/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FailureNote } from '../FailureNote.tsx';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../the-lab.ts';
import { Note, Row } from '../../../ui/Layout.tsx';

interface FileFailureProps {
  readonly what: 'save' | 'load';
  readonly failure: Failure;
  readonly onClose: () => void;
}

/** Why a checkpoint could not be saved or loaded. */
export function FileFailure({ what, failure, onClose }: FileFailureProps) {
  const { t } = useLabText();
  const hasRun = useLab(({ run }) => 'run' in run);
  const isForeign = failure.kind === 'engine' && failure.code === 'checkpoint-mismatch';
  return (
    <Dialog title={t(what === 'load' ? 'files.loadFailed' : 'files.saveFailed')} onClose={onClose}>
      <FailureNote failure={failure} />
      {isForeign && hasRun && <Note>{t('files.resetFirst')}</Note>}
      <Row align="stretch" justify="flex-end">
        <Button onClick={onClose}>{t('ui.close')}</Button>
      </Row>
    </Dialog>
  );
}
