import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import { changeVersion } from '../../api/registry-versions.ts';
import { useServices } from '../../app/services.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { TextAreaField } from '../../ui/TextAreaField.tsx';
import { useModelsText } from './models-text.ts';
import css from './Model.module.css';
import { readTags, tagPatch, writeTags } from './tag-lines.ts';

const LONGEST_DESCRIPTION = 4096;

export interface EditDialogProps {
  readonly model: ModelDetails;
  readonly onClose: () => void;
}

/** Edits what may change of a version, unless somebody else changed it meanwhile. */
export function EditDialog({ model, onClose }: EditDialogProps) {
  const { t } = useModelsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const [description, setDescription] = useState(model.description);
  const [lines, setLines] = useState(writeTags(model.tags));
  const [opened] = useState(model);
  const read = readTags(lines);
  const reload = () => {
    void queries.invalidateQueries({ queryKey: ['models'] });
    onClose();
  };
  const save = useMutation({
    mutationFn: (tags: Record<string, string | null>) =>
      changeVersion(opened, { description, tags }),
    onSuccess() {
      toasts.show(t('edit.saved'), 'good');
      reload();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (read.ok) save.mutate(tagPatch(opened.tags, read.tags));
  }

  const wrong = read.ok
    ? undefined
    : read.problem === 'twice'
      ? t('edit.twice', { line: read.line, key: read.key })
      : t('edit.badTag', { line: read.line });
  return (
    <Dialog title={t('edit.title', { version: model.version })} onClose={onClose}>
      <form className={css['form']} onSubmit={submit}>
        <TextAreaField
          label={t('edit.description')}
          value={description}
          maxLength={LONGEST_DESCRIPTION}
          onChange={setDescription}
        />
        <TextAreaField
          label={t('edit.tags')}
          hint={t('edit.tagsHint')}
          error={wrong}
          value={lines}
          onChange={setLines}
        />
        {save.isError && <SaveFailure error={save.error} onReload={reload} />}
        <DialogActions>
          <Button onClick={onClose}>{t('dialog.cancel')}</Button>
          <Button
            type="submit"
            tone="primary"
            state={read.ok && !save.isPending ? 'ready' : 'blocked'}
          >
            {t(save.isPending ? 'edit.saving' : 'edit.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface SaveFailureProps {
  readonly error: unknown;
  readonly onReload: () => void;
}

function SaveFailure({ error, onReload }: SaveFailureProps) {
  const { t } = useModelsText();
  if (!(error instanceof ProblemError && error.code === 'precondition_failed')) {
    return <ErrorState error={error} />;
  }
  return (
    <div className={css['conflict']} role="alert">
      <p>
        <strong>{t('edit.changed')}</strong>
      </p>
      <p>{t('edit.changedHelp')}</p>
      <Button icon="retry" onClick={onReload}>
        {t('edit.reload')}
      </Button>
    </div>
  );
}
