import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { hasModel, type ModelType, NODE_TYPES, type NodeType } from '../../../brain/node-types.ts';
import { randomId } from '../../../edge/contract/random-id.ts';
import { modelsQuery } from '../../api/model-queries.ts';
import { tabNode, type TabNodeState, useNodeInTab } from '../../brain-tab/tab-node-store.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Row } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { useBrainText } from './words/en-brain.ts';

/** The default region of a node, as on the command line. */
const LOCAL = 'local';

const ID_BYTES = 4;

/** The category of the registry's models that a node type serves. */
const CATEGORIES: Readonly<Record<ModelType, string>> = {
  'lang-main': 'LangText',
  visual: 'Vision',
  audio: 'Audio',
};

interface TabNodePanelProps {
  /** The regions of the known nodes. */
  readonly regions: readonly string[];
}

/** Runs a node of the brain in this tab and shows its state. */
export function TabNodePanel({ regions }: TabNodePanelProps) {
  const { t } = useBrainText();
  const state = useNodeInTab();
  return (
    <Panel title={t('tab.title')} note={t('tab.note')}>
      {state.status === 'failed' && <ErrorState error={state.error} />}
      <div aria-live="polite">{'node' in state && <Running state={state} />}</div>
      {!('node' in state) && <StartForm regions={[...new Set([LOCAL, ...regions])]} />}
    </Panel>
  );
}

type RunningState = Extract<TabNodeState, { readonly node: object }>;

function Running({ state }: { readonly state: RunningState }) {
  const { t, format } = useBrainText();
  const { status, node } = state;
  const facts = [
    {
      label: t('column.status'),
      value: <Badge tone={status === 'on' ? 'good' : 'neutral'}>{t(`tab.${status}`)}</Badge>,
    },
    { label: t('tab.node'), value: node.nodeId },
    ...(node.model === '' ? [] : [{ label: t('tab.model'), value: node.model }]),
    { label: t('column.region'), value: node.region },
    ...(status === 'on'
      ? [{ label: t('tab.answered'), value: format.integer(state.answered) }]
      : []),
  ];
  return (
    <>
      <Facts facts={facts} />
      <Button state={status === 'leaving' ? 'blocked' : 'ready'} onClick={() => tabNode().stop()}>
        {t('tab.stop')}
      </Button>
    </>
  );
}

function StartForm({ regions }: TabNodePanelProps) {
  const { t } = useBrainText();
  const [type, setType] = useState<NodeType>('lang-main');
  const [region, setRegion] = useState(LOCAL);
  const [chosen, setChosen] = useState('');
  const models = useModels(type);
  const model = models.names.find(({ value }) => value === chosen) ?? models.names[0];
  const isReady = !hasModel(type) || model !== undefined;
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const nodeId = `${type}-tab-${randomId(ID_BYTES)}`;
    tabNode().start({ nodeId, type, region, model: model?.value ?? '' });
  };
  return (
    <Row as="form" gap={3} align="end" onSubmit={start}>
      <SelectField
        label={t('tab.type')}
        options={NODE_TYPES.map((value) => ({ value, label: value }))}
        value={type}
        onChange={setType}
      />
      {model && (
        <SelectField
          label={t('tab.model')}
          options={models.names}
          value={model.value}
          onChange={setChosen}
        />
      )}
      <SelectField
        label={t('tab.region')}
        options={regions.map((value) => ({ value, label: value }))}
        value={region}
        onChange={setRegion}
      />
      <Button type="submit" state={isReady ? 'ready' : 'blocked'}>
        {t('tab.start')}
      </Button>
      {models.isEmpty && <p>{t('tab.noModel')}</p>}
      {models.error !== null && <ErrorState error={models.error} />}
    </Row>
  );
}

/** The models that a node type can serve; none for a type without a model. */
function useModels(type: NodeType) {
  const needsModel = hasModel(type);
  const search = { framework: 'spikegrid', ...(needsModel && { model_type: CATEGORIES[type] }) };
  const { data, error } = useInfiniteQuery({ ...modelsQuery(search), enabled: needsModel });
  const found = (needsModel && data?.pages.flatMap(({ models }) => models)) || [];
  return {
    names: found.map(({ model_id: id, name }) => ({ value: id, label: name })),
    isEmpty: needsModel && data !== undefined && found.length === 0,
    error: needsModel ? error : null,
  };
}
