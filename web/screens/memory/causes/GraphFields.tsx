import { MAX_CAUSAL_HOPS, type CausalNode } from '../../../../edge/memory/contract/causal.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import {
  type ChangeMemoryFields,
  DIRECTIONS,
  LIMITS,
  type MemoryFields,
  writeStarts,
} from '../memory-fields.ts';
import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';
import { NodeField } from './NodeField.tsx';
import { meantNode } from './shown-graph.ts';

export interface GraphFieldsProps {
  readonly fields: MemoryFields;
  /** What may be named: the nodes that are shown. */
  readonly nodes: readonly CausalNode[];
  readonly onChange: ChangeMemoryFields;
}

/** Where the graph begins, how far it goes, and between what a way is looked for. */
export function GraphFields({ fields, nodes, onChange }: GraphFieldsProps) {
  const { t } = useMemoryText();
  const begin = (words: string) => {
    const key = words.trim() === '' ? '' : meantNode(nodes, words);
    onChange({ start: writeStarts(key === '' ? [] : [key]), node: key, link: '' });
  };
  return (
    <search className={css['search']} aria-label={t('graph.region')}>
      <div className={css['wide']}>
        <NodeField
          label={t('graph.start')}
          hint={t('graph.startHint')}
          fields={fields}
          nodes={nodes}
          submit={t('graph.show')}
          onSubmit={begin}
        />
      </div>
      <NumberField
        label={t('graph.hops')}
        value={fields.hops}
        rule={{ kind: 'integer', min: 0, max: MAX_CAUSAL_HOPS }}
        step={1}
        onChange={(hops) => onChange({ hops })}
      />
      <SelectField
        label={t('graph.way')}
        options={DIRECTIONS.map((value) => ({ value, label: t(`way.${value}`) }))}
        value={fields.way}
        onChange={(way) => onChange({ way })}
      />
      <SelectField
        label={t('graph.most')}
        options={LIMITS.map((value) => ({ value, label: value }))}
        value={fields.most}
        onChange={(most) => onChange({ most })}
      />
      <WayFields fields={fields} nodes={nodes} onChange={onChange} />
    </search>
  );
}

/** Between what a way is looked for. */
function WayFields({ fields, nodes, onChange }: GraphFieldsProps) {
  const { t } = useMemoryText();
  const end = (name: 'from' | 'to') => (
    <NodeField
      label={t(`path.${name}`)}
      fields={fields}
      nodes={nodes}
      submit={t('path.set')}
      value={fields[name]}
      onSubmit={(words) => onChange({ [name]: words.trim() === '' ? '' : meantNode(nodes, words) })}
    />
  );
  return (
    <div className={css['way']}>
      {end('from')}
      {end('to')}
    </div>
  );
}
