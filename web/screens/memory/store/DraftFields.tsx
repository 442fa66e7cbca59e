import { MEMORY_LIMITS } from '../../../../edge/memory/contract/memory.ts';
import { Field } from '../../../ui/Field.tsx';
import { RangeField } from '../../../ui/RangeField.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';
import { bytesOf, type MemoryDraft } from './memory-draft.ts';

export interface DraftFieldsProps {
  readonly draft: MemoryDraft;
  readonly onChange: (draft: MemoryDraft) => void;
}

/** What a memory is made of. */
export function DraftFields({ draft, onChange }: DraftFieldsProps) {
  const { t, format } = useMemoryText();
  const set = (part: Partial<MemoryDraft>) => onChange({ ...draft, ...part });
  const isTooLong = bytesOf(draft) > MEMORY_LIMITS.contentBytes;
  return (
    <>
      <TextAreaField
        label={t('store.content')}
        hint={t('store.contentHint')}
        error={
          isTooLong
            ? t('store.tooLong', { most: format.bytes(MEMORY_LIMITS.contentBytes) })
            : undefined
        }
        value={draft.content}
        onChange={(content) => set({ content })}
      />
      <div className={css['two']}>
        <TextField
          label={t('place.namespace')}
          value={draft.namespace}
          maxLength={63}
          onChange={(namespace) => set({ namespace })}
        />
        <TextField
          label={t('column.user')}
          value={draft.user}
          maxLength={128}
          onChange={(user) => set({ user })}
        />
        <TextField
          label={t('search.tags')}
          value={draft.tags}
          maxLength={400}
          onChange={(tags) => set({ tags })}
        />
        <Field label={t('store.since')} hint={t('store.sinceHint')}>
          {(control) => (
            <input
              {...control}
              type="datetime-local"
              step={1}
              value={draft.since}
              onChange={(event) => set({ since: event.target.value })}
            />
          )}
        </Field>
      </div>
      <RangeField
        label={t('detail.importance')}
        min={0}
        max={1}
        step={0.05}
        value={draft.importance}
        valueText={format.number(draft.importance)}
        onChange={(importance) => set({ importance: Number(importance.toFixed(2)) })}
      />
    </>
  );
}
