import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { MAX_LINEAGE_DEPTH } from '../../../edge/registry/contract/lineage.ts';
import type { ModelDetails } from '../../../edge/registry/contract/model.ts';
import { modelQuery } from '../../api/model-queries.ts';
import { deleteModel } from '../../api/registry-versions.ts';
import { Chips } from '../../records/Chips.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { ResourceScreen } from '../../ui/Resource.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { integer, oneOf, text, type Values } from '../../url-state/fields.ts';
import { useUrlState } from '../../url-state/use-url-state.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { Row } from '../../ui/Layout.tsx';
import css from './Model.module.css';
import { ModelCompare } from './ModelCompare.tsx';
import { ModelFacts } from './ModelFacts.tsx';
import { ModelFiles } from './ModelFiles.tsx';
import { ModelLineage } from './ModelLineage.tsx';
import { ModelVersions } from './ModelVersions.tsx';
import { aliasTexts, StatusBadge } from './StatusBadge.tsx';
import { useModelsText } from './words/en-models.ts';

const TABS = ['files', 'details', 'versions', 'compare', 'lineage'] as const;
const TAB_KEYS = {
  files: 'model.files',
  details: 'model.details',
  versions: 'model.versions',
  compare: 'tab.compare',
  lineage: 'tab.lineage',
} as const;
const FIELDS = {
  version: text('', 128),
  tab: oneOf('files', TABS),
  compare: text('', 128),
  depth: integer(5, { min: 1, max: MAX_LINEAGE_DEPTH }),
};

/** One model: the version in the address, or the default one. */
export function Model() {
  const { t } = useModelsText();
  const id = decodeURIComponent(useParams<{ id: string }>().id);
  const [fields, setState] = useUrlState(FIELDS);
  const query = useQuery(modelQuery(id, fields.version));
  const { data } = query;
  const actions = (
    <>
      <Link href="/models" className={buttonClass('secondary')}>
        {t('model.back')}
      </Link>
      {data && <TryIt model={data} />}
      {data && <DeleteModel model={data} />}
    </>
  );
  return (
    <ResourceScreen
      title={data?.name ?? id}
      lead={data?.description}
      actions={actions}
      query={query}
      skeleton={{ lines: 8, lineRem: 3 }}
    >
      {(model) => (
        <>
          <ModelHead model={model} onVersion={(version) => setState({ version })} />
          <ModelParts model={model} fields={fields} onChange={setState} />
        </>
      )}
    </ResourceScreen>
  );
}

/** A link to the playground, for versions that it can run. */
function TryIt({ model }: { readonly model: ModelDetails }) {
  const { t } = useModelsText();
  const { model_id: id, version, framework, model_type: type, status } = model;
  if (framework !== 'spikegrid' || type !== 'LangText' || status !== 'READY') return null;
  return (
    <Link
      href={`/playground?model=${encodeURIComponent(`${id}@${version}`)}`}
      className={buttonClass('primary')}
    >
      {t('model.try')}
    </Link>
  );
}

interface ModelPartsProps {
  readonly model: ModelDetails;
  readonly fields: Values<typeof FIELDS>;
  readonly onChange: (change: Partial<Values<typeof FIELDS>>) => void;
}

function ModelParts({ model, fields, onChange }: ModelPartsProps) {
  const { t } = useModelsText();
  const contents = {
    files: <ModelFiles model={model} />,
    details: <ModelFacts model={model} />,
    versions: (
      <ModelVersions
        model={model}
        onCompare={(compare) => onChange({ tab: 'compare', compare })}
        onVersion={(version) => onChange({ version })}
      />
    ),
    compare: (
      <ModelCompare
        model={model}
        other={fields.compare}
        onOther={(compare) => onChange({ compare })}
      />
    ),
    lineage: (
      <ModelLineage model={model} depth={fields.depth} onDepth={(depth) => onChange({ depth })} />
    ),
  };
  return (
    <Tabs
      label={t('model.parts')}
      tabs={TABS.map((value) => ({
        value,
        label: t(TAB_KEYS[value]),
        content: contents[value],
      }))}
      value={fields.tab}
      onChange={(tab) => onChange({ tab })}
    />
  );
}

interface ModelHeadProps {
  readonly model: ModelDetails;
  readonly onVersion: (version: string) => void;
}

/** The model's id, status and version choice. */
function ModelHead({ model, onVersion }: ModelHeadProps) {
  const { t, format } = useModelsText();
  const { version, status, status_message: message } = model;
  return (
    <Row gap={4} align="flex-end">
      <div className={css['version']}>
        <SelectField
          label={t('model.versionShown')}
          options={model.versions.map((other) => ({ value: other.version, label: other.version }))}
          value={version}
          onChange={onVersion}
        />
      </div>
      <p className={css['state']}>
        <StatusBadge status={status} />
        <code>{model.model_id}</code>
        <span>{format.bytes(model.total_size_bytes)}</span>
        <Chips accented={aliasTexts(model.aliases)} items={[]} />
        {message && <span lang="en">{message}</span>}
      </p>
    </Row>
  );
}

/** The button that deletes a model after a confirmation. */
function DeleteModel({ model }: { readonly model: ModelDetails }) {
  const { t, format } = useModelsText();
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'open' | 'closed'>('closed');
  const aliases = model.versions.flatMap((version) => version.aliases);
  return (
    <>
      <Button tone="danger" onClick={() => setDialog('open')}>
        {t('delete.open')}
      </Button>
      {dialog === 'open' && (
        <DeleteDialog
          title={t('delete.modelTitle', { model: model.name })}
          name={model.model_id}
          rules={[t('delete.versions', { count: model.versions.length }), t('delete.number')]}
          objections={
            aliases.length > 0 ? [t('delete.aliased', { aliases: format.list(aliases) })] : []
          }
          gone={{ id: model.model_id, version: '' }}
          onDelete={(force) => deleteModel(model.model_id, force)}
          onDeleted={() => navigate('/models')}
          onClose={() => setDialog('closed')}
        />
      )}
    </>
  );
}
