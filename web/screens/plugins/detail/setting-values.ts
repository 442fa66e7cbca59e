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

/** What is sent: a secret that was not typed anew is left as it is. */
export function changedValues(
  { properties }: ConfigurationSchema,
  values: ConfigurationValues,
): ConfigurationValues {
  const kept = Object.entries(values).filter(
    ([name, value]) => !(properties[name]?.writeOnly && value === ''),
  );
  return Object.fromEntries(kept);
}

/** What may be typed. An excluded end is refused by the plugin itself, which says so. */
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
