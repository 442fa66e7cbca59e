import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { ModelDetails, Tags } from '../../../edge/registry/contract/model.ts';
import { changeVersion } from '../../api/registry-versions.ts';
import { useServices } from '../../app/services.ts';
import { Button } from '../../ui/Button.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextAreaField } from '../../ui/TextAreaField.tsx';
import css from './Model.module.css';
import { useModelsText } from './models-text.ts';

const MAX_DESCRIPTION = 4096;

interface EditDialogProps {
  readonly model: ModelDetails;
  readonly onClose: () => void;
}

/** Edits the mutable fields of a version, with a check for concurrent changes. */
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

  const isConflict =
    save.error instanceof ProblemError && save.error.code === 'precondition_failed';
  const wrong = read.ok
    ? undefined
    : read.problem === 'twice'
      ? t('edit.twice', { line: read.line, key: read.key })
      : t('edit.badTag', { line: read.line });
  return (
    <FormDialog
      title={t('edit.title', { version: model.version })}
      submit={t('edit.save')}
      sending={t('edit.saving')}
      isReady={read.ok}
      request={{ error: isConflict ? null : save.error, isPending: save.isPending }}
      onSubmit={() => read.ok && save.mutate(tagPatch(opened.tags, read.tags))}
      onClose={onClose}
    >
      <TextAreaField
        label={t('edit.description')}
        value={description}
        maxLength={MAX_DESCRIPTION}
        onChange={setDescription}
      />
      <TextAreaField
        label={t('edit.tags')}
        hint={t('edit.tagsHint')}
        error={wrong}
        value={lines}
        onChange={setLines}
      />
      {isConflict && <Conflict onReload={reload} />}
    </FormDialog>
  );
}

function Conflict({ onReload }: { readonly onReload: () => void }) {
  const { t } = useModelsText();
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

type TagLines =
  | { readonly ok: true; readonly tags: Tags }
  | { readonly ok: false; readonly problem: 'badTag'; readonly line: number }
  | { readonly ok: false; readonly problem: 'twice'; readonly line: number; readonly key: string };

const LINE = /^\s*([A-Za-z0-9._-]{1,64})\s*(?::\s*(.{0,256}?)\s*)?$/;

/** Tags as people edit them: one on each line. */
export const writeTags = (tags: Tags): string =>
  Object.entries(tags)
    .map(([key, value]) => (value === '' ? key : `${key}: ${value}`))
    .join('\n');

/** Parses the output of `writeTags`; reports the first invalid line. */
export function readTags(text: string): TagLines {
  const tags = new Map<string, string>();
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, key, value = ''] = LINE.exec(line) ?? [];
    if (key === undefined) return { ok: false, problem: 'badTag', line: index + 1 };
    if (tags.has(key)) return { ok: false, problem: 'twice', line: index + 1, key };
    tags.set(key, value);
  }
  return { ok: true, tags: Object.fromEntries(tags) };
}

/** The merge patch between two sets of tags: null for removed ones. */
export function tagPatch(before: Tags, after: Tags): Record<string, string | null> {
  const gone = Object.keys(before).filter((key) => !(key in after));
  const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
  return Object.fromEntries([...gone.map((key) => [key, null] as const), ...changed]);
}
