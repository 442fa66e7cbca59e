import { useQuery } from '@tanstack/react-query';
import type { Session } from '../../../edge/access/contract/session.ts';
import { DEFAULT_MEMORY_NAMESPACE } from '../../../edge/memory/contract/memory.ts';
import type { MemoryNamespaceRecord } from '../../../edge/memory/contract/namespace.ts';
import { MemoryStrategy } from '../../../edge/memory/contract/search.ts';
import { memoryNamespacesQuery } from '../../api/memory.ts';
import { useSession } from '../../app/session.ts';
import { optionsOf } from '../../records/options.ts';
import { Button } from '../../ui/Button.tsx';
import { Grid } from '../../ui/Layout.tsx';
import { MomentField } from '../../ui/MomentField.tsx';
import { RangeField } from '../../ui/RangeField.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import {
  type ChangeMemoryFields,
  goTo,
  type MemoryFields,
  momentAt,
  placeAt,
  PLACES,
  type TimeWindow,
} from './memory-fields.ts';
import css from './Memory.module.css';
import { useMemoryText } from './words/en-memory.ts';

interface PlaceBarProps {
  readonly fields: MemoryFields;
  readonly window: TimeWindow;
  readonly onChange: ChangeMemoryFields;
}

/** The namespace and the moment shown. */
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
  /** Empty for the user's own namespaces. */
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

/** The known namespaces, the default one and the one that is shown. */
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

/** The owner name of the session; a key and its sessions are the same owner. */
function ownerOf(session: Session | undefined): string | undefined {
  if (!session || session.kind === 'anonymous') return undefined;
  if (session.kind === 'local' || session.id === null) return 'local';
  return `${session.kind === 'token' ? 'token' : 'key'}:${session.id}`;
}

const TEXT_FIELDS = [
  ['user', 128],
  ['session', 128],
  ['tags', 400],
] as const;

interface SearchFieldsProps {
  readonly fields: MemoryFields;
  readonly onChange: ChangeMemoryFields;
}

/** The search text and its filters. */
export function SearchFields({ fields, onChange }: SearchFieldsProps) {
  const { t, format } = useMemoryText();
  return (
    <Grid as="search" min="10rem" gap={[3, 4]} align="start" aria-label={t('search.region')}>
      <div className={css['wide']}>
        <TextField
          type="search"
          label={t('search.q')}
          hint={t('search.hint')}
          value={fields.q}
          maxLength={1_000}
          onChange={(q) => onChange({ q })}
        />
      </div>
      {TEXT_FIELDS.map(([name, maxLength]) => (
        <TextField
          key={name}
          label={t(`search.${name}`)}
          value={fields[name]}
          maxLength={maxLength}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <SelectField
        label={t('search.strategy')}
        options={optionsOf(MemoryStrategy.options, (value) => t(`strategy.${value}`))}
        value={fields.strategy}
        onChange={(strategy) => onChange({ strategy })}
      />
      <RangeField
        label={t('search.min')}
        min={0}
        max={1}
        step={0.05}
        value={fields.min}
        valueText={format.number(fields.min)}
        onChange={(min) => onChange({ min: Number(min.toFixed(2)) })}
      />
    </Grid>
  );
}
