import type { LabelSet } from './matching.ts';

const PLACE =
  /\{\{\s*(?:\$labels\.([a-zA-Z_]\w*)|(\$value)(?:\s*\|\s*(humanize|humanizePercentage|humanizeDuration))?)\s*\}\}/g;
const MAX_CHARS = 8192;

/**
 * Fills `{{ $labels.x }}` and `{{ $value }}` in. What is filled in is not looked at again, so a
 * label holding `{{ … }}` stays what it is; other places stay as they are.
 */
export function fillTemplate(template: string, labels: LabelSet, value: number): string {
  const filled = template.replace(PLACE, (_, label?: string, _value?: string, form?: string) =>
    label === undefined
      ? formatValue(value, form)
      : Object.hasOwn(labels, label)
        ? (labels[label] ?? '')
        : '',
  );
  return filled.slice(0, MAX_CHARS);
}

const short = (number: number) => String(Number(number.toPrecision(4)));

function formatValue(value: number, form: string | undefined): string {
  switch (form) {
    case 'humanize':
      return short(value);
    case 'humanizePercentage':
      return `${short(value * 100)}%`;
    case 'humanizeDuration':
      return value < 1 ? `${short(value * 1000)}ms` : `${short(value)}s`;
    default:
      return String(value);
  }
}
