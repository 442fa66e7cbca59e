import type { SensorEncoding } from '../../../edge/sensors/contract/encoding.ts';
import type { SensorsText } from './words/en-sensors.ts';

/** A reading with its unit. */
export const readingText = ({ t, format }: SensorsText, value: number, unit: string): string =>
  t('reading', { value: format.number(value), unit });

/** A description of an encoding with its parameters. */
export function encodingText(
  { t, format }: SensorsText,
  { code, low, high, threshold }: SensorEncoding,
  unit: string,
): string {
  if (code === 'delta') return t('code.delta.by', { threshold: format.number(threshold), unit });
  return t(`code.${code}.by`, { low: format.number(low), high: format.number(high), unit });
}
