import { useServices } from '../../../app/services.ts';
import type { Failure } from '../../../lab/failure.ts';
import { checkpointStepOf } from '../../../lab/lab-state.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Note, Row } from '../../../ui/Layout.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { FailureNote } from '../FailureNote.tsx';
import { useLabForm } from '../fields-context.ts';
import { formFrom } from '../lab-fields.ts';
import { useLabText } from '../lab-text.ts';
import { ariaShortcut, SHORTCUTS, shortcutText, useShortcut } from '../run/shortcuts.ts';
import { pageLab, useLab } from '../lab-store.ts';
import { RegisterDialog } from './RegisterDialog.tsx';
import { useCallback, useRef, useState } from 'react';

/** The page's message for a checkpoint that could not be saved or loaded. */
type Refused = { readonly what: 'save' | 'load'; readonly failure: Failure } | null;

/** The ways of a checkpoint out of the lab and into it. */
export function FileActions() {
  const { t } = useLabText();
  const [refused, setRefused] = useState<Refused>(null);
  const [dialog, setDialog] = useState<'register' | 'none'>('none');
  const hasCheckpoint = useLab(
    ({ run }) => run.status === 'training' || checkpointStepOf(run) !== null,
  );
  return (
    <>
      <SaveButton isPossible={hasCheckpoint} onRefused={setRefused} />
      <LoadButton onRefused={setRefused} />
      <Button icon="upload" disabled={!hasCheckpoint} onClick={() => setDialog('register')}>
        {t('files.register')}
      </Button>
      {refused && <FileFailure {...refused} onClose={() => setRefused(null)} />}
      {dialog === 'register' && <RegisterDialog onClose={() => setDialog('none')} />}
    </>
  );
}

interface SaveButtonProps {
  readonly isPossible: boolean;
  readonly onRefused: (refused: Refused) => void;
}

function SaveButton({ isPossible, onRefused }: SaveButtonProps) {
  const { t } = useLabText();
  const { toasts } = useServices();
  const save = useCallback(async () => {
    const outcome = await pageLab().save();
    if (!outcome.ok) return onRefused({ what: 'save', failure: outcome.failure });
    saveFile(outcome.value.name, outcome.value.file);
    toasts.show(t('files.saved', { file: outcome.value.name }), 'good');
  }, [onRefused, toasts, t]);
  const action = isPossible ? () => void save() : undefined;
  useShortcut(SHORTCUTS.save, action);
  return (
    <Tooltip text={t('files.saveHint', { keys: shortcutText(SHORTCUTS.save) })}>
      <Button
        icon="save"
        disabled={!isPossible}
        aria-keyshortcuts={ariaShortcut(SHORTCUTS.save)}
        onClick={action}
      >
        {t('files.save')}
      </Button>
    </Tooltip>
  );
}

function LoadButton({ onRefused }: Pick<SaveButtonProps, 'onRefused'>) {
  const { t } = useLabText();
  const { toasts } = useServices();
  const { change, changeModel } = useLabForm();
  const input = useRef<HTMLInputElement>(null);
  const isUnderWay = useLab(({ run }) => run.status === 'opening' || run.status === 'training');

  async function load(files: readonly File[]) {
    if (files.length === 0) return;
    const outcome = await pageLab().load(files);
    if (!outcome.ok) return onRefused({ what: 'load', failure: outcome.failure });
    const form = formFrom(outcome.value.settings);
    change(form.fields);
    changeModel(form.model);
    toasts.show(t('files.loaded', { step: outcome.value.step }), 'good');
  }

  return (
    <>
      <Tooltip text={t('files.loadHint')}>
        <Button icon="open" disabled={isUnderWay} onClick={() => input.current?.click()}>
          {t('files.load')}
        </Button>
      </Tooltip>
      <input
        ref={input}
        hidden
        multiple
        type="file"
        aria-label={t('files.loadHint')}
        onChange={(event) => {
          void load([...(event.target.files ?? [])]);
          // The same file may be chosen again, after it was put right.
          event.target.value = '';
        }}
      />
    </>
  );
}

interface FileFailureProps {
  readonly what: 'save' | 'load';
  readonly failure: Failure;
  readonly onClose: () => void;
}

/** Why a checkpoint could not be saved or loaded. */
function FileFailure({ what, failure, onClose }: FileFailureProps) {
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
