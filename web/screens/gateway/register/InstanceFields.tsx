import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Grid, Stack } from '../../../ui/Layout.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useGatewayText } from '../gateway-text.ts';
import css from '../Gateway.module.css';
import { type Faults, type InstanceDraft, newInstance } from './draft.ts';

interface InstanceFieldsProps {
  readonly instances: readonly InstanceDraft[];
  readonly faults: Faults;
  readonly onChange: (instances: readonly InstanceDraft[]) => void;
}

/** The instances of the service, at least one. */
export function InstanceFields({ instances, faults, onChange }: InstanceFieldsProps) {
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
        <TextField
          label={t('register.id')}
          hint={t('register.idHint')}
          error={at('id')}
          value={instance.id}
          onChange={(id) => onChange({ id })}
        />
        <TextField
          label={t('instance.region')}
          error={at('region_id')}
          value={instance.region}
          onChange={(region) => onChange({ region })}
        />
        <TextField
          label={t('instance.weight')}
          error={at('weight')}
          value={instance.weight}
          onChange={(weight) => onChange({ weight })}
        />
      </Grid>
    </>
  );
}
