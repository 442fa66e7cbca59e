import { useState } from 'react';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { Button } from '../../ui/Button.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { Row } from '../../ui/Layout.tsx';
import { tagText } from './Chips.tsx';
import { EditDialog } from './EditDialog.tsx';
import css from './Model.module.css';
import { type ModelsKey, useModelsText } from './models-text.ts';

interface ModelFactsProps {
  readonly model: ModelDetails;
}

/** Everything that was registered with a version. */
export function ModelFacts({ model }: ModelFactsProps) {
  const { t, format } = useModelsText();
  const [dialog, setDialog] = useState<'open' | 'closed'>('closed');
  const date = (time: string) => format.dateTime(new Date(time));
  const facts: Fact[] = [
    { label: t('model.id'), value: <code>{model.model_id}</code> },
    { label: t('models.type'), value: model.model_type },
    { label: t('models.framework'), value: model.framework },
    { label: t('model.owner'), value: <code>{model.owner}</code> },
    { label: t('model.team'), value: model.team },
    { label: t('models.created'), value: date(model.created_at) },
    { label: t('model.updated'), value: date(model.updated_at) },
    { label: t('model.totalSize'), value: format.bytes(model.total_size_bytes) },
    { label: t('model.aliases'), value: <TagList words={model.aliases} /> },
    { label: t('model.tags'), value: <TagList words={tagTexts(model)} /> },
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
          <section
            className={css['spec']}
            aria-label={t('model.spec')}
            // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus
            tabIndex={0}
          >
            <pre>{JSON.stringify(model.model_spec, null, 2)}</pre>
          </section>
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

function tagTexts({ tags }: ModelDetails): string[] {
  return Object.entries(tags).map(([key, value]) => tagText(key, value));
}

function TagList({ words }: { readonly words: readonly string[] }) {
  const { t } = useModelsText();
  if (words.length === 0) return t('ui.none');
  return (
    <Row as="ul" gap={[1, 2]}>
      {words.map((word) => (
        <li key={word} className={css['tag']}>
          {word}
        </li>
      ))}
    </Row>
  );
}
