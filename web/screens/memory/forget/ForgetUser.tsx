import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemoryUser } from '../../../../edge/memory/contract/namespace.ts';
import {
  eraseUser,
  memoryExportUrl,
  type MemoryScope,
  memoryUserQuery,
  ONE_MEMORY_KEY,
} from '../../../api/memory.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { placeOf } from '../memory-fields.ts';
import css from '../Memory.module.css';
import { useMemoryText } from '../memory-text.ts';
import { isUnknownNamespace } from '../unknown-namespace.ts';
import { useMemoryChange } from '../use-memory-change.ts';
import type { ForgetProps } from './Forget.tsx';
import { ForgetDialog } from './ForgetDialog.tsx';

/** Requests wait until the typing has stopped for this long. */
const TYPING_MS = 300;
const WHERE = ['here', 'everywhere'] as const;

/** Erases all that is remembered of a user, in the namespace that is shown or in all of its owner. */
export function ForgetUser({ fields, onChange }: ForgetProps) {
  const { t } = useMemoryText();
  const [where, setWhere] = useState<(typeof WHERE)[number]>('here');
  const [isAsking, setAsking] = useState(false);
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
          onClick={() => setAsking(true)}
        >
          {t('forget.eraseOpen')}
        </Button>
      </div>
      <output className={css['note']}>{held && heldWords(t, held)}</output>
      {error && !isUnknownNamespace(error) && <ErrorState error={error} />}
      {isAsking && isKnown && (
        <EraseDialog
          scope={scope}
          held={held}
          onDone={() => onChange({ user: '', memory: '' })}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  );
}

type Words = ReturnType<typeof useMemoryText>['t'];

const heldWords = (t: Words, { user_id: user, memories }: MemoryUser): string =>
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
  const change = useMemoryChange({
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
