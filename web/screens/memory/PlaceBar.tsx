import { useQuery } from '@tanstack/react-query';
import { DEFAULT_MEMORY_NAMESPACE } from '../../../edge/memory/contract/memory.ts';
import type { MemoryNamespaceRecord } from '../../../edge/memory/contract/namespace.ts';
import type { Session } from '../../../edge/access/contract/session.ts';
import { memoryNamespacesQuery } from '../../api/memory.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../ui/Button.tsx';
import { MomentField } from '../../ui/MomentField.tsx';
import { RangeField } from '../../ui/RangeField.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { type ChangeMemoryFields, goTo, type MemoryFields } from './memory-fields.ts';
import css from './Memory.module.css';
import { useMemoryText } from './memory-text.ts';
import { momentAt, placeAt, PLACES, type TimeWindow } from './time-window.ts';

export interface PlaceBarProps {
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly onChange: ChangeMemoryFields;
}

/** Which namespace, and as of when. */
export function PlaceBar({ fields, window, onChange }: PlaceBarProps) {
  const { t, format } = useMemoryText();
  const { at } = fields;
  return (
    <div className={css['place']}>
      <NamespaceField fields={fields} onChange={onChange} />
      <RangeField
        label={t('time.slider')}
        min={0}
        max={PLACES}
        step={1}
        value={placeAt(at, window)}
        valueText={at === '' ? t('time.now') : format.dateTime(new Date(at))}
        onChange={(place) => onChange({ at: momentAt(place, window) })}
      />
      <div className={css['exact']}>
        <MomentField label={t('time.exact')} value={at} onChange={(to) => onChange({ at: to })} />
        <Button state={at === '' ? 'blocked' : 'ready'} onClick={() => onChange({ at: '' })}>
          {t('time.toNow')}
        </Button>
      </div>
    </div>
  );
}

interface Choice {
  readonly ns: string;
  /** Empty for one's own. */
  readonly owner: string;
}

function NamespaceField({ fields, onChange }: Pick<PlaceBarProps, 'fields' | 'onChange'>) {
  const { t } = useMemoryText();
  const own = ownerOf(useSession());
  const { data = [] } = useQuery(memoryNamespacesQuery);
  const choices = choicesOf(data, own, fields);
  return (
    <SelectField
      label={t('place.namespace')}
      options={choices.map(({ ns, owner }, index) => ({
        value: String(index),
        label: owner === '' ? ns : t('place.of', { namespace: ns, owner }),
      }))}
      value={String(choices.findIndex((choice) => isSame(choice, fields)))}
      onChange={(index) => {
        const choice = choices[Number(index)];
        if (choice) onChange(goTo(choice));
      }}
    />
  );
}

const isSame = (a: Choice, b: Choice) => a.ns === b.ns && a.owner === b.owner;

/** The namespaces there are, with the one that is there without being made and the one that is shown. */
function choicesOf(
  known: readonly MemoryNamespaceRecord[],
  own: string | undefined,
  { ns, owner }: Choice,
): readonly Choice[] {
  const listed = known.map(({ namespace, owner: whose }) => ({
    ns: namespace,
    owner: whose === own ? '' : whose,
  }));
  const all = [{ ns: DEFAULT_MEMORY_NAMESPACE, owner: '' }, { ns, owner }, ...listed];
  return all.filter((choice, index) => all.findIndex((other) => isSame(choice, other)) === index);
}

/** As namespaces name it; the sessions of a key and the key itself are one. */
function ownerOf(session: Session | undefined): string | undefined {
  if (!session || session.kind === 'anonymous') return undefined;
  if (session.kind === 'local' || session.id === null) return 'local';
  return `${session.kind === 'token' ? 'token' : 'key'}:${session.id}`;
}
