import type { FormEvent } from 'react';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import css from '../Gateway.module.css';
import { useGatewayText } from '../gateway-text.ts';
import type { Draft } from './draft.ts';
import { faultsOf, type Faults } from './faults.ts';
import { HealthFields } from './HealthFields.tsx';
import { InstanceFields } from './InstanceFields.tsx';

/** The places of a body that have a field of their own here. */
const PLACES = ['/name', '/version', '/tags', '/meta', '/ttl_s', '/instances', '/health'];

export interface RegisterFormProps {
  readonly draft: Draft;
  readonly kind: 'new' | 'change';
  readonly error: unknown;
  readonly isSending: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

export function RegisterForm(props: RegisterFormProps) {
  const { draft, kind, error, isSending, onChange, onSubmit, onClose } = props;
  const { t } = useGatewayText();
  const faults = faultsOf(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSending) onSubmit();
  };
  const verb = kind === 'new' ? 'register.submit' : 'register.save';
  return (
    <form className={css['form']} onSubmit={submit} noValidate>
      {kind === 'new' && (
        <TextField
          label={t('register.name')}
          hint={t('register.nameHint')}
          error={faults.at('/name')}
          value={draft.name}
          onChange={(name) => onChange({ name })}
        />
      )}
      <InstanceFields
        instances={draft.instances}
        faults={faults}
        onChange={(instances) => onChange({ instances })}
      />
      <OptionalFields draft={draft} faults={faults} onChange={onChange} />
      <HealthFields
        health={draft.health}
        faults={faults}
        onChange={(change) => onChange({ health: { ...draft.health, ...change } })}
      />
      {error !== null && faults.isElsewhere(PLACES) && <ErrorState error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{t('register.cancel')}</Button>
        <Button tone="primary" type="submit" state={isSending ? 'blocked' : 'ready'}>
          {t(isSending ? 'register.sending' : verb)}
        </Button>
      </DialogActions>
    </form>
  );
}

interface OptionalFieldsProps extends Pick<RegisterFormProps, 'draft' | 'onChange'> {
  readonly faults: Faults;
}

function OptionalFields({ draft, faults, onChange }: OptionalFieldsProps) {
  const { t } = useGatewayText();
  return (
    <div className={css['fields']}>
      <div className={css['row']}>
        <TextField
          label={t('register.version')}
          error={faults.at('/version')}
          value={draft.version}
          onChange={(version) => onChange({ version })}
        />
        <TextField
          label={t('register.tags')}
          hint={t('register.tagsHint')}
          error={faults.at('/tags')}
          value={draft.tags}
          onChange={(tags) => onChange({ tags })}
        />
      </div>
      <TextAreaField
        label={t('register.meta')}
        hint={t('register.metaHint')}
        error={faults.at('/meta')}
        value={draft.meta}
        onChange={(meta) => onChange({ meta })}
      />
      <TextField
        label={t('register.ttl')}
        hint={t('register.ttlHint')}
        error={faults.at('/ttl_s')}
        value={draft.ttl}
        onChange={(ttl) => onChange({ ttl })}
      />
    </div>
  );
}
