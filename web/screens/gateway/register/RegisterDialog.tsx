import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ReadService, registerService } from '../../../api/gateway-client.ts';
import { servicesQuery } from '../../../api/queries.ts';
import { useServices } from '../../../app/services.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Grid, Stack } from '../../../ui/Layout.tsx';
import { TextAreaField } from '../../../ui/TextAreaField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import css from '../Gateway.module.css';
import { useGatewayText } from '../words/en-gateway.ts';
import {
  type Draft,
  draftOf,
  EMPTY,
  type Faults,
  faultsOf,
  type InstanceDraft,
  newInstance,
  registrationOf,
} from './draft.ts';

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
  // As it was when the dialog opened: a later version is not overwritten.
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
  const { error, isPending } = registration;
  const faults = faultsOf(error);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const fields = { draft, faults, onChange: change };
  return (
    <FormDialog
      title={before ? t('register.editTitle', { name: before.record.name }) : t('register.title')}
      submit={t(before ? 'register.save' : 'register.submit')}
      sending={t('register.sending')}
      request={{ error: faults.isElsewhere(PLACES) ? error : null, isPending }}
      onSubmit={() => registration.mutate()}
      onClose={onClose}
    >
      {!before && <NameField {...fields} />}
      <InstanceFields
        instances={draft.instances}
        faults={faults}
        onChange={(instances) => change({ instances })}
      />
      <OptionalFields {...fields} />
      <HealthFields {...fields} />
    </FormDialog>
  );
}

/** The JSON pointers of the body that have a field in this form. */
const PLACES = ['/name', '/version', '/tags', '/meta', '/ttl_s', '/instances', '/health'];

interface FieldsProps {
  readonly draft: Draft;
  readonly faults: Faults;
  readonly onChange: (change: Partial<Draft>) => void;
}

function NameField({ draft, faults, onChange }: FieldsProps) {
  const { t } = useGatewayText();
  return (
    <TextField
      label={t('register.name')}
      hint={t('register.nameHint')}
      error={faults.at('/name')}
      value={draft.name}
      onChange={(name) => onChange({ name })}
    />
  );
}

function OptionalFields({ draft, faults, onChange }: FieldsProps) {
  const { t } = useGatewayText();
  return (
    <Stack gap={3}>
      <Grid min="9rem" align="start">
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
      </Grid>
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
    </Stack>
  );
}

const FIELDS = [
  ['path', 'path', 'policy.path'],
  ['interval', 'interval_s', 'register.interval'],
  ['timeout', 'timeout_s', 'register.timeout'],
  ['failures', 'failures_before_critical', 'policy.failures'],
  ['successes', 'success_before_passing', 'policy.successes'],
] as const;

/** The health policy of the instances. */
function HealthFields({ draft: { health }, faults, onChange }: FieldsProps) {
  const { t } = useGatewayText();
  return (
    <fieldset className={css['instance']}>
      <legend className="visually-hidden">{t('register.health')}</legend>
      <span className={css['legend']} aria-hidden="true">
        {t('register.health')}
      </span>
      <Grid min="9rem" align="start">
        {FIELDS.map(([field, member, label]) => (
          <TextField
            key={field}
            label={t(label)}
            error={faults.at(`/health/${member}`)}
            value={health[field]}
            onChange={(value) => onChange({ health: { ...health, [field]: value } })}
          />
        ))}
      </Grid>
    </fieldset>
  );
}

interface InstanceFieldsProps {
  readonly instances: readonly InstanceDraft[];
  readonly faults: Faults;
  readonly onChange: (instances: readonly InstanceDraft[]) => void;
}

/** The instances of the service, at least one. */
function InstanceFields({ instances, faults, onChange }: InstanceFieldsProps) {
  const { t } = useGatewayText();
  const change = (index: number, changed: Partial<InstanceDraft>) =>
    onChange(instances.map((old, i) => (i === index ? { ...old, ...changed } : old)));
  const add = () => onChange([...instances, newInstance(Math.max(...instances.map(keyOf)) + 1)]);
  return (
    <Stack gap={3}>
      {instances.map((instance, index) => (
        <fieldset key={instance.key} className={css['instance']}>
          <legend className="visually-hidden">
            {t('register.instance', { number: index + 1 })}
          </legend>
          <div className={css['legend']}>
            <span aria-hidden="true">{t('register.instance', { number: index + 1 })}</span>
            {instances.length > 1 && (
              <IconButton
                icon="trash"
                label={t('register.removeInstance', { number: index + 1 })}
                onClick={() => onChange(instances.filter((_, i) => i !== index))}
              />
            )}
          </div>
          <OneInstance
            instance={instance}
            at={(member) => faults.at(`/instances/${index}/${member}`)}
            onChange={(changed) => change(index, changed)}
          />
        </fieldset>
      ))}
      <div>
        <Button icon="add" onClick={add}>
          {t('register.addInstance')}
        </Button>
      </div>
    </Stack>
  );
}

const keyOf = ({ key }: InstanceDraft) => key;

interface OneInstanceProps {
  readonly instance: InstanceDraft;
  readonly at: (member: string) => string | undefined;
  readonly onChange: (change: Partial<InstanceDraft>) => void;
}

const INSTANCE_FIELDS = [
  ['id', 'id', 'register.id'],
  ['region', 'region_id', 'instance.region'],
  ['weight', 'weight', 'instance.weight'],
] as const;

function OneInstance({ instance, at, onChange }: OneInstanceProps) {
  const { t } = useGatewayText();
  return (
    <>
      <TextField
        label={t('instance.url')}
        error={at('url')}
        value={instance.url}
        onChange={(url) => onChange({ url })}
      />
      <Grid min="9rem" align="start">
        {INSTANCE_FIELDS.map(([name, member, label]) => (
          <TextField
            key={name}
            label={t(label)}
            hint={name === 'id' ? t('register.idHint') : undefined}
            error={at(member)}
            value={instance[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
      </Grid>
    </>
  );
}
