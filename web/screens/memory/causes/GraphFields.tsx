import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { type CausalNode, MAX_CAUSAL_HOPS } from '../../../../edge/memory/contract/causal.ts';
import { causalNodesQuery } from '../../../api/memory.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Grid } from '../../../ui/Layout.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import {
  type ChangeMemoryFields,
  DIRECTIONS,
  LIMITS,
  type MemoryFields,
  placeOf,
  writeStarts,
} from '../memory-fields.ts';
import css from '../Memory.module.css';
import { useMemoryText } from '../words/en-memory.ts';
import { meantNode } from './shown-graph.ts';

interface GraphFieldsProps {
  readonly fields: MemoryFields;
  /** The nodes shown, offered as suggestions. */
  readonly nodes: readonly CausalNode[];
  readonly onChange: ChangeMemoryFields;
}

/** The start node, depth and limit of the graph, and the ends of a path. */
export function GraphFields({ fields, nodes, onChange }: GraphFieldsProps) {
  const { t } = useMemoryText();
  const begin = (words: string) => {
    const key = words.trim() === '' ? '' : meantNode(nodes, words);
    onChange({ start: writeStarts(key === '' ? [] : [key]), node: key, link: '' });
  };
  return (
    <Grid as="search" min="10rem" gap={[3, 4]} align="start" aria-label={t('graph.region')}>
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
    </Grid>
  );
}

/** The ends of the path to find. */
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

/** Debounce of requests while typing. */
const TYPING_MS = 300;

interface NodeFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly fields: MemoryFields;
  /** The nodes shown, offered without a search. */
  readonly nodes: readonly CausalNode[];
  readonly submit: string;
  readonly value?: string;
  readonly onSubmit: (words: string) => void;
}

/** A cause or effect, typed or chosen from suggestions. */
function NodeField(props: NodeFieldProps) {
  const { label, hint, fields, nodes, submit, value = '', onSubmit } = props;
  const list = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const found = useFound(fields, draft ?? '');
  const labels = new Set([...found, ...nodes].map((node) => node.label));
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(draft ?? value);
    setDraft(null);
  };
  return (
    <form className={css['node']} onSubmit={send}>
      <datalist id={list}>
        {[...labels].map((known) => (
          <option key={known}>{known}</option>
        ))}
      </datalist>
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

/** The nodes that match the words at the moment shown. */
function useFound(fields: MemoryFields, words: string) {
  const q = useSettled(words.normalize('NFKC').trim(), TYPING_MS);
  const search = { q, ...(fields.at !== '' && { as_of: fields.at }) };
  const { data = [] } = useQuery(causalNodesQuery(placeOf(fields), search));
  return data;
}
