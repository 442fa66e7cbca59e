import { NewKey } from '../../../../edge/access/contract/keys.ts';
import { Scope } from '../../../../edge/contract/scope.ts';
import { CheckGroup } from '../../../ui/CheckGroup.tsx';
import { DialogForm, type Sending } from '../../../ui/FormDialog.tsx';
import { SchemaField, useSchemaForm } from '../../../ui/SchemaField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { useKeysText } from '../words/en-keys.ts';

const DAY_S = 86_400;
const LIFETIMES = { in7: 7, in30: 30, in90: 90, in365: 365, never: undefined } as const;
type Lifetime = keyof typeof LIFETIMES;
const LIFETIME_NAMES = Object.keys(LIFETIMES) as Lifetime[];

interface NewKeyFormProps {
  readonly request: Sending;
  readonly onSubmit: (key: NewKey) => void;
  readonly onClose: () => void;
}

export function NewKeyForm({ request, onSubmit, onClose }: NewKeyFormProps) {
  const { t } = useKeysText();
  const form = useSchemaForm(NewKey, { scopes: [], expires_in_s: LIFETIMES.in90 * DAY_S });
  const { scopes, expires_in_s: seconds } = form.draft;
  const lifetime = LIFETIME_NAMES.find((name) => LIFETIMES[name] === Number(seconds) / DAY_S);
  return (
    <DialogForm
      submit={t('new.submit')}
      sending={t('new.sending')}
      request={request}
      onSubmit={() => form.submit(onSubmit)}
      onClose={onClose}
    >
      <SchemaField
        {...form.field('name')}
        label={t('new.name')}
        hint={t('new.nameHint')}
        expected={t('new.noName')}
      />
      <SchemaField
        {...form.field('team')}
        label={t('new.team')}
        hint={t('new.teamHint')}
        expected={t('new.badTeam')}
      />
      <CheckGroup
        legend={t('new.scopes')}
        options={Scope.options}
        meaning={(scope) => t(`scope.${scope}`)}
        chosen={Array.isArray(scopes) ? scopes : []}
        error={form.isWrong('scopes') ? t('new.noScope') : undefined}
        onChange={(chosen) => form.change({ scopes: [...chosen] })}
      />
      <SelectField
        label={t('new.expires')}
        value={lifetime ?? 'never'}
        options={LIFETIME_NAMES.map((value) => ({ value, label: t(`new.${value}`) }))}
        onChange={(name) => {
          const days = LIFETIMES[name];
          form.change({ expires_in_s: days && days * DAY_S });
        }}
      />
    </DialogForm>
  );
}
