import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { ModelDetails, Tags } from '../../../edge/registry/contract/model.ts';
import { changeVersion } from '../../api/registry-versions.ts';
import { useServices } from '../../app/services.ts';
import { Chips } from '../../records/Chips.tsx';
import { JsonView } from '../../records/JsonView.tsx';
import { Button } from '../../ui/Button.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Row } from '../../ui/Layout.tsx';
import { TextAreaField } from '../../ui/TextAreaField.tsx';
import css from './Model.module.css';
import { tagTexts } from './StatusBadge.tsx';
import { type ModelsKey, useModelsText } from './words/en-models.ts';

/** Everything that was registered with a version. */
export function ModelFacts({ model }: { readonly model: ModelDetails }) {
  const { t, format } = useModelsText();
  const [dialog, setDialog] = useState<'open' | 'closed'>('closed');
  const date = (time: string) => format.dateTime(new Date(time));
  const chips = (items: readonly string[]) =>
    items.length === 0 ? t('ui.none') : <Chips items={items} />;
  const facts: Fact[] = [
    { label: t('model.id'), value: <code>{model.model_id}</code> },
    { label: t('models.type'), value: model.model_type },
    { label: t('models.framework'), value: model.framework },
    { label: t('model.owner'), value: <code>{model.owner}</code> },
    { label: t('model.team'), value: model.team },
    { label: t('models.created'), value: date(model.created_at) },
    { label: t('model.updated'), value: date(model.updated_at) },
    { label: t('model.totalSize'), value: format.bytes(model.total_size_bytes) },
    { label: t('model.aliases'), value: chips(model.aliases) },
    { label: t('model.tags'), value: chips(tagTexts(model.tags)) },
    ...optionalFacts(model).map(([key, value]) => ({ label: t(key), value: <code>{value}</code> })),
  ];
  return (
    <>
      <Row justify="flex-end">
        <Button icon="write" onClick={() => setDialog('open')}>
          {t('edit.open')}
        </Button>
      </Row>
      <Facts facts={facts} />
      {model.model_spec && (
        <>
          <h2 className={css['heading']}>{t('model.spec')}</h2>
          <JsonView label={t('model.spec')} value={model.model_spec} />
        </>
      )}
      {dialog === 'open' && <EditDialog model={model} onClose={() => setDialog('closed')} />}
    </>
  );
}

/** Facts that a version may lack. */
function optionalFacts(model: ModelDetails): (readonly [ModelsKey, string])[] {
  const all: readonly (readonly [ModelsKey, string | null])[] = [
    ['model.architecture', model.architecture],
    ['model.job', model.job_id],
    ['model.manifestDigest', model.manifest_digest],
    ['model.specDigest', model.model_spec_digest],
    ['model.tokenizerDigest', model.tokenizer_digest],
    ['model.datasetDigest', model.dataset_digest],
  ];
  return all.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
}

const MAX_DESCRIPTION = 4096;

interface EditDialogProps {
  readonly model: ModelDetails;
  readonly onClose: () => void;
}

/** Edits the mutable fields of a version, with a check for concurrent changes. */
function EditDialog({ model, onClose }: EditDialogProps) {
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
