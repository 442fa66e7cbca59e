import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_MEMORY_NAMESPACE } from '../../../edge/memory/contract/memory.ts';
import type { MemoryStats, MemoryUser } from '../../../edge/memory/contract/namespace.ts';
import {
  deleteNamespace,
  eraseUser,
  MEMORY_KEY,
  memoryExportUrl,
  type MemoryPlace,
  type MemoryScope,
  memoryStatsQuery,
  memoryUserQuery,
  ONE_MEMORY_KEY,
} from '../../api/memory.ts';
import { useChange } from '../../app/use-change.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import type { Fact } from '../../ui/Facts.tsx';
import { Note } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { ForgetDialog } from './ForgetDialog.tsx';
import {
  type ChangeMemoryFields,
  goTo,
  isUnknownNamespace,
  type MemoryFields,
  placeOf,
} from './memory-fields.ts';
import css from './Memory.module.css';
import { type MemoryText, useMemoryText } from './words/en-memory.ts';

interface ForgetProps {
  readonly fields: MemoryFields;
  readonly onChange: ChangeMemoryFields;
}

/** Erases the memories of a user, or deletes a namespace. */
export function Forget(props: ForgetProps) {
  return (
    <>
      <ForgetUser {...props} />
      <ForgetNamespace {...props} />
    </>
  );
}

/** Deletes the namespace that is shown. */
function ForgetNamespace({ fields, onChange }: ForgetProps) {
  const { t } = useMemoryText();
  const place = placeOf(fields);
  const [isOpen, setOpen] = useState(false);
  const { data: stats, error } = useQuery(memoryStatsQuery(place));
  return (
    <Panel title={t('forget.namespace')} note={t('forget.namespaceNote')}>
      <div className={css['forget']}>
        <Button
          tone="danger"
          icon="trash"
          state={stats ? 'ready' : 'blocked'}
          onClick={() => setOpen(true)}
        >
          {t('forget.dropOpen', { namespace: place.namespace })}
        </Button>
      </div>
      {error && !isUnknownNamespace(error) && <ErrorState error={error} />}
      {isOpen && stats && (
        <DropDialog
          place={place}
          stats={stats}
          onDone={() => onChange(goTo({ ns: DEFAULT_MEMORY_NAMESPACE, owner: '' }))}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  );
}

interface DropDialogProps {
  readonly place: MemoryPlace;
  readonly stats: MemoryStats;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function DropDialog({ place, stats, onDone, onClose }: DropDialogProps) {
  const text = useMemoryText();
  const { t } = text;
  const { namespace, owner } = place;
  const isLeft = namespace !== DEFAULT_MEMORY_NAMESPACE || owner !== undefined;
  const change = useChange(MEMORY_KEY, {
    change: () => deleteNamespace(place),
    said: ({ memories }) => t('forget.dropSaid', { namespace, count: memories }),
    // After a change of namespace everything is fetched again; otherwise the list shows that it is empty.
    ...(isLeft && { gone: MEMORY_KEY }),
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <ForgetDialog
      title={t('forget.dropTitle', { namespace })}
      name={namespace}
      facts={factsOf(text, stats)}
      exportUrl={memoryExportUrl(place, '')}
      state={change.isPending ? 'pending' : 'ready'}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}

const factsOf = ({ t, format }: MemoryText, stats: MemoryStats): readonly Fact[] => [
  { label: t('forget.memories'), value: format.integer(stats.memories) },
  { label: t('forget.users'), value: format.integer(stats.users) },
  { label: t('forget.edges'), value: format.integer(stats.edges) },
  { label: t('forget.bytes'), value: format.bytes(stats.storage_bytes) },
];

/** Debounce of requests while typing. */
const TYPING_MS = 300;
const WHERE = ['here', 'everywhere'] as const;

/** Erases the memories of a user in this namespace or in all namespaces of its owner. */
function ForgetUser({ fields, onChange }: ForgetProps) {
  const { t } = useMemoryText();
  const [where, setWhere] = useState<(typeof WHERE)[number]>('here');
  const [isOpen, setOpen] = useState(false);
  const { namespace, ...owner } = placeOf(fields);
  const scope = where === 'here' ? { namespace, ...owner } : owner;
  const user = useSettled(fields.user, TYPING_MS);
  const { data: held, error } = useQuery(memoryUserQuery(scope, user));
  const isKnown = held !== undefined && held.user_id === fields.user && held.memories > 0;
  return (
    <Panel title={t('forget.user')} note={t('forget.userNote')}>
      <div className={css['forget']}>
        <TextField
          label={t('search.user')}
          value={fields.user}
          maxLength={128}
          onChange={(to) => onChange({ user: to })}
        />
        <Segmented
          legend={t('forget.where')}
          options={WHERE.map((value) => ({ value, label: t(`forget.${value}`) }))}
          value={where}
          onChange={setWhere}
        />
        <Button
          tone="danger"
          icon="trash"
          state={isKnown ? 'ready' : 'blocked'}
          onClick={() => setOpen(true)}
        >
          {t('forget.eraseOpen')}
        </Button>
      </div>
      <Note as="output">{held && heldText(t, held)}</Note>
      {error && !isUnknownNamespace(error) && <ErrorState error={error} />}
      {isOpen && isKnown && (
        <EraseDialog
          scope={scope}
          held={held}
          onDone={() => onChange({ user: '', memory: '' })}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  );
}

type Words = ReturnType<typeof useMemoryText>['t'];

const heldText = (t: Words, { user_id: user, memories }: MemoryUser): string =>
  memories === 0 ? t('forget.nothing', { user }) : t('forget.held', { user, count: memories });

interface EraseDialogProps {
  readonly scope: MemoryScope;
  readonly held: MemoryUser;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function EraseDialog({ scope, held, onDone, onClose }: EraseDialogProps) {
  const { t, format } = useMemoryText();
  const { user_id: user, namespaces } = held;
  const change = useChange(MEMORY_KEY, {
    change: () => eraseUser(scope, user),
    said: ({ memories }) => t('forget.eraseSaid', { user, count: memories }),
    gone: ONE_MEMORY_KEY,
    onDone: () => {
      onClose();
      onDone();
    },
  });
  return (
    <ForgetDialog
      title={t('forget.eraseTitle', { user })}
      name={user}
      facts={namespaces.map(({ namespace, memories }) => ({
        label: t('forget.memoriesIn', { namespace }),
        value: format.integer(memories),
      }))}
      exportUrl={memoryExportUrl(scope, user)}
      state={change.isPending ? 'pending' : 'ready'}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}
