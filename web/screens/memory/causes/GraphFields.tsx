import { type FormEvent, useId, useState } from 'react';
import { MOST_CAUSAL_HOPS, type CausalNode } from '../../../../edge/contract/memory/causal.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
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
  const known = useId();
  const begin = (words: string) => {
    const key = words.trim() === '' ? '' : meantNode(nodes, words);
    onChange({ start: writeStarts(key === '' ? [] : [key]), node: key, link: '' });
  };
  return (
    <search className={css['search']} aria-label={t('graph.region')}>
      <datalist id={known}>
        {nodes.map(({ key, label }) => (
          <option key={key}>{label}</option>
        ))}
      </datalist>
      <div className={css['wide']}>
        <NodeField
          label={t('graph.start')}
          hint={t('graph.startHint')}
          list={known}
          submit={t('graph.show')}
          onSubmit={begin}
        />
      </div>
      <NumberField
        label={t('graph.hops')}
        value={fields.hops}
        rule={{ kind: 'integer', min: 0, max: MOST_CAUSAL_HOPS }}
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
      <WayFields fields={fields} nodes={nodes} list={known} onChange={onChange} />
    </search>
  );
}

interface WayFieldsProps extends GraphFieldsProps {
  readonly list: string;
}

/** Between what a way is looked for. */
function WayFields({ fields, nodes, list, onChange }: WayFieldsProps) {
  const { t } = useMemoryText();
  const end = (name: 'from' | 'to') => (
    <NodeField
      label={t(`path.${name}`)}
      list={list}
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

interface NodeFieldProps {
  readonly label: string;
  readonly hint?: string;
  /** The id of the list of what may be chosen. */
  readonly list: string;
  readonly submit: string;
  readonly value?: string;
  readonly onSubmit: (words: string) => void;
}

/** A cause or an effect in one's own words, or chosen from those that are shown. */
function NodeField({ label, hint, list, submit, value = '', onSubmit }: NodeFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(draft ?? value);
    setDraft(null);
  };
  return (
    <form className={css['node']} onSubmit={send}>
      <Field label={label} hint={hint}>
        {(control) => (
          <input
            {...control}
            type="text"
            list={list}
            autoComplete="off"
            maxLength={1_000}
            value={draft ?? value}
            onChange={(event) => setDraft(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" aria-label={`${submit}: ${label}`}>
        {submit}
      </Button>
    </form>
  );
}
