import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { DeletionAnswer } from '../../../edge/registry/contract/model.ts';
import { refreshModels, type VersionAddress } from '../../api/registry-versions.ts';
import { useServices } from '../../app/services.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import css from './Model.module.css';
import { useModelsText } from './words/en-models.ts';

interface DeleteDialogProps {
  readonly title: string;
  /** The name to type as a confirmation. */
  readonly name: string;
  /** The consequences, a sentence each. */
  readonly rules: readonly ReactNode[];
  /** Reasons against the deletion, to be overridden; empty where there are none. */
  readonly objections: readonly string[];
  /** The version to delete; empty for a whole model. */
  readonly gone: VersionAddress;
  readonly onDelete: (force: boolean) => Promise<DeletionAnswer>;
  readonly onDeleted: (answer: DeletionAnswer) => void;
  readonly onClose: () => void;
}

/** Confirms a deletion by typing a name, after its consequences. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, name, rules, objections, gone, onDelete, onDeleted, onClose } = props;
  const { t } = useModelsText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  const [written, setWritten] = useState('');
  const [force, setForce] = useState<'on' | 'off'>('off');
  const remove = useMutation({
    mutationFn: () => onDelete(force === 'on'),
    async onSuccess(answer) {
      toasts.show(t('delete.done', { name }), 'good');
      onDeleted(answer);
      onClose();
      await refreshModels(queries, gone);
    },
  });
  const isAllowed = objections.length === 0 || force === 'on';
  return (
    <FormDialog
      title={title}
      submit={t('delete.do')}
      sending={t('delete.deleting')}
      tone="danger"
      isReady={isAllowed && written.trim() === name}
      request={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <ul className={css['rules']}>
        {[...rules, ...objections].map((rule, index) => (
          // eslint-disable-next-line react/no-array-index-key -- the sentences stay as they are
          <li key={index}>{rule}</li>
        ))}
      </ul>
      {objections.length > 0 && (
        <div>
          <Toggle state={force} onToggle={setForce}>
            {t('delete.force')}
          </Toggle>
        </div>
      )}
      <TextField label={t('delete.confirm', { name })} value={written} onChange={setWritten} />
    </FormDialog>
  );
}
