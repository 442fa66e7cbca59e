import type {
  ConfigurationSchema,
  ConfigurationSetting,
  ConfigurationValues,
} from '../../../../edge/plugins/contract/configuration.ts';
import type { NumberRule } from '../../../ui/number-input.ts';

export type SettingValue = ConfigurationValues[string];

export function defaultValues({ properties }: ConfigurationSchema): ConfigurationValues {
  return Object.fromEntries(Object.entries(properties).map(([name, s]) => [name, s.default]));
}

/** The values to send: a secret that was not typed again stays unchanged. */
export function changedValues(
  { properties }: ConfigurationSchema,
  values: ConfigurationValues,
): ConfigurationValues {
  const kept = Object.entries(values).filter(
    ([name, value]) => !(properties[name]?.writeOnly && value === ''),
  );
  return Object.fromEntries(kept);
}

/** Bounds of a setting. The plugin itself rejects an excluded end with a message. */
export function ruleOf(setting: ConfigurationSetting): NumberRule {
  const { type, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = setting;
  return {
    kind: type === 'integer' ? 'integer' : 'decimal',
    min: minimum ?? exclusiveMinimum ?? -Number.MAX_SAFE_INTEGER,
    max: maximum ?? exclusiveMaximum ?? Number.MAX_SAFE_INTEGER,
  };
}

/** How far an arrow key goes: a tenth of the default, rounded to a power of ten. */
export function arrowStep({ type, default: initial }: ConfigurationSetting): number {
  if (type === 'integer') return 1;
  const size = Math.abs(Number(initial)) || 1;
  return 10 ** (Math.floor(Math.log10(size)) - 1);
}
