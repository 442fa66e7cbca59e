import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ReadService, registerService } from '../../../api/gateway-client.ts';
import { servicesQuery } from '../../../api/queries.ts';
import { useServices } from '../../../app/services.ts';
import { Answers } from '../../../ui/Answers.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useGatewayText } from '../gateway-text.ts';
import css from '../Gateway.module.css';
import {
  type Draft,
  draftOf,
  EMPTY,
  type Faults,
  faultsOf,
  type HealthDraft,
  registrationOf,
} from './draft.ts';
import { InstanceFields } from './InstanceFields.tsx';

interface RegisterDialogProps {
  /** The service whose registration is changed, or null for a new one. */
  readonly known: ReadService | null;
  readonly onClose: () => void;
}

/** Registers a service, or changes a registration. */
export function RegisterDialog({ known, onClose }: RegisterDialogProps) {
  const { t } = useGatewayText();
  const { toasts } = useServices();
  const queries = useQueryClient();
  // As it was when the form was filled: what others change meanwhile is not overwritten.
  const [before] = useState(known);
  const [draft, setDraft] = useState(before ? draftOf(before.record) : EMPTY);
  const registration = useMutation({
    mutationFn: () => registerService(registrationOf(draft), before?.etag ?? null),
    onSuccess: async ({ name }) => {
      toasts.show(t('register.done', { name }), 'good');
      onClose();
      await queries.invalidateQueries({ queryKey: servicesQuery.queryKey });
    },
  });
  const title = before
    ? t('register.editTitle', { name: before.record.name })
    : t('register.title');
  return (
    <Dialog title={title} onClose={onClose}>
      <RegisterForm
        draft={draft}
        kind={before ? 'change' : 'new'}
        error={registration.error}
        isSending={registration.isPending}
        onChange={(change) => setDraft({ ...draft, ...change })}
        onSubmit={() => registration.mutate()}
        onClose={onClose}
      />
    </Dialog>
  );
}

/** The places of a body that have a field of their own here. */
const PLACES = ['/name', '/version', '/tags', '/meta', '/ttl_s', '/instances', '/health'];

interface RegisterFormProps {
  readonly draft: Draft;
  readonly kind: 'new' | 'change';
  readonly error: unknown;
  readonly isSending: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

function RegisterForm(props: RegisterFormProps) {
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
      <Answers>
        <Button onClick={onClose}>{t('register.cancel')}</Button>
        <Button tone="primary" type="submit" state={isSending ? 'blocked' : 'ready'}>
          {t(isSending ? 'register.sending' : verb)}
        </Button>
      </Answers>
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

interface HealthFieldsProps {
  readonly health: HealthDraft;
  readonly faults: Faults;
  readonly onChange: (change: Partial<HealthDraft>) => void;
}

const FIELDS = [
  ['path', 'path', 'policy.path'],
  ['interval', 'interval_s', 'register.interval'],
  ['timeout', 'timeout_s', 'register.timeout'],
  ['failures', 'failures_before_critical', 'policy.failures'],
  ['successes', 'success_before_passing', 'policy.successes'],
] as const;

/** How the instances are asked for their health. */
function HealthFields({ health, faults, onChange }: HealthFieldsProps) {
  const { t } = useGatewayText();
  return (
    <fieldset className={css['instance']}>
      <legend className="visually-hidden">{t('register.health')}</legend>
      <span className={css['legend']} aria-hidden="true">
        {t('register.health')}
      </span>
      <div className={css['row']}>
        {FIELDS.map(([field, member, label]) => (
          <TextField
            key={field}
            label={t(label)}
            error={faults.at(`/health/${member}`)}
            value={health[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
}
