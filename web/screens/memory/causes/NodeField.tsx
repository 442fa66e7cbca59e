import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { CausalNode } from '../../../../edge/memory/contract/causal.ts';
import { causalNodesQuery } from '../../../api/memory.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { type MemoryFields, placeOf } from '../memory-fields.ts';
import css from '../Memory.module.css';

/** Requests wait until the typing has stopped for this long. */
const TYPING_MS = 300;

export interface NodeFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly fields: MemoryFields;
  /** The nodes that are shown: they may be chosen without being looked for. */
  readonly nodes: readonly CausalNode[];
  readonly submit: string;
  readonly value?: string;
  readonly onSubmit: (words: string) => void;
}

/** A cause or an effect in one's own words, or chosen from those that are shown or hold these words. */
export function NodeField(props: NodeFieldProps) {
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

/** What the platform knows by these words at the time that is looked at. */
function useFound(fields: MemoryFields, words: string) {
  const q = useSettled(words.normalize('NFKC').trim(), TYPING_MS);
  const search = { q, ...(fields.at !== '' && { as_of: fields.at }) };
  const { data = [] } = useQuery(causalNodesQuery(placeOf(fields), search));
  return data;
}
