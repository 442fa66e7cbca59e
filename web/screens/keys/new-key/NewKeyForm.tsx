import { useState, type FormEvent } from 'react';
import type { NewKey } from '../../../../edge/access/contract/keys.ts';
import type { Scope } from '../../../../edge/contract/scope.ts';
import { Team } from '../../../../edge/contract/team.ts';
import { Answers } from '../../../ui/Answers.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import css from '../Keys.module.css';
import { useKeysText } from '../keys-text.ts';
import { ScopeChoice } from './ScopeChoice.tsx';

const DAY_S = 86_400;
const LIFETIMES = { in7: 7, in30: 30, in90: 90, in365: 365, never: undefined } as const;
type Lifetime = keyof typeof LIFETIMES;
const LIFETIME_NAMES = Object.keys(LIFETIMES) as Lifetime[];

export interface NewKeyFormProps {
  readonly error: unknown;
  readonly isSending: boolean;
  readonly onSubmit: (key: NewKey) => void;
  readonly onClose: () => void;
}

export function NewKeyForm({ error, isSending, onSubmit, onClose }: NewKeyFormProps) {
  const { t } = useKeysText();
  const [name, setName] = useState('');
  const [team, setTeam] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [lifetime, setLifetime] = useState<Lifetime>('in90');
  const [isChecked, setChecked] = useState(false);
  const noName = name.trim() === '';
  const noScope = scopes.length === 0;

  function submit(event: FormEvent) {
    event.preventDefault();
    setChecked(true);
    if (noName || isWrongTeam(team) || noScope || isSending) return;
    const days = LIFETIMES[lifetime];
    onSubmit({
      name: name.trim(),
      scopes: [...scopes],
      ...(team !== '' && { team }),
      ...(days !== undefined && { expires_in_s: days * DAY_S }),
    });
  }

  return (
    <form className={css['form']} onSubmit={submit} noValidate>
      <TextField
        label={t('new.name')}
        hint={t('new.nameHint')}
        error={isChecked && noName ? t('new.noName') : undefined}
        value={name}
        maxLength={128}
        onChange={setName}
      />
      <TeamField value={team} isChecked={isChecked} onChange={setTeam} />
      <ScopeChoice
        chosen={scopes}
        error={isChecked && noScope ? t('new.noScope') : undefined}
        onChange={setScopes}
      />
      <SelectField
        label={t('new.expires')}
        value={lifetime}
        options={LIFETIME_NAMES.map((value) => ({ value, label: t(`new.${value}`) }))}
        onChange={setLifetime}
      />
      {error !== null && <ErrorState error={error} />}
      <Answers>
        <Button onClick={onClose}>{t('new.cancel')}</Button>
        <Button tone="primary" type="submit" state={isSending ? 'blocked' : 'ready'}>
          {t(isSending ? 'new.sending' : 'new.submit')}
        </Button>
      </Answers>
    </form>
  );
}

const isWrongTeam = (team: string): boolean => team !== '' && !Team.safeParse(team).success;

interface TeamFieldProps {
  readonly value: string;
  readonly isChecked: boolean;
  readonly onChange: (team: string) => void;
}

function TeamField({ value, isChecked, onChange }: TeamFieldProps) {
  const { t } = useKeysText();
  return (
    <TextField
      label={t('new.team')}
      hint={t('new.teamHint')}
      error={isChecked && isWrongTeam(value) ? t('new.badTeam') : undefined}
      value={value}
      maxLength={63}
      onChange={onChange}
    />
  );
}
