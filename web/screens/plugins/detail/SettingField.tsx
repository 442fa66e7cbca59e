import type { ConfigurationSetting } from '../../../../edge/plugins/contract/configuration.ts';
import { Field } from '../../../ui/Field.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { usePluginsText } from '../words/en-plugins.ts';
import { arrowStep, ruleOf, type SettingValue } from './setting-values.ts';

interface SettingFieldProps {
  readonly setting: ConfigurationSetting;
  readonly value: SettingValue;
  readonly onChange: (value: SettingValue) => void;
}

/** The control that suits the type of a setting. */
export function SettingField({ setting, value, onChange }: SettingFieldProps) {
  const { t } = usePluginsText();
  const { type, title, unit, description: hint } = setting;
  const label = unit ? t('settings.withUnit', { title, unit }) : title;
  if (type === 'boolean') {
    return (
      <Toggle state={value === true ? 'on' : 'off'} onToggle={(state) => onChange(state === 'on')}>
        {label}
      </Toggle>
    );
  }
  if (type === 'string') {
    return <WordsField setting={setting} label={label} value={String(value)} onChange={onChange} />;
  }
  return (
    <NumberField
      label={label}
      hint={hint}
      value={Number(value)}
      rule={ruleOf(setting)}
      step={arrowStep(setting)}
      onChange={onChange}
    />
  );
}

interface WordsFieldProps {
  readonly setting: ConfigurationSetting;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One of a few texts, any text, or a secret. */
function WordsField({ setting, label, value, onChange }: WordsFieldProps) {
  const { t } = usePluginsText();
  const { enum: choices, description, maxLength, writeOnly } = setting;
  if (choices) {
    return (
      <SelectField
        label={label}
        hint={description}
        options={choices.map((choice) => ({ value: choice, label: choice }))}
        value={value}
        onChange={onChange}
      />
    );
  }
  if (writeOnly) {
    return (
      <Field label={label} hint={t('settings.secret')}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="new-password"
            value={value}
            maxLength={maxLength}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    );
  }
  return (
    <TextField
      label={label}
      hint={description}
      value={value}
      {...(maxLength !== undefined && { maxLength })}
      onChange={onChange}
    />
  );
}
