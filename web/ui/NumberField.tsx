import { useState, type KeyboardEvent } from 'react';
import { useText } from '../i18n/text-context.ts';
import { Field } from './Field.tsx';
import { parseNumber, stepNumber, type NumberRule } from './number-input.ts';

interface NumberFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** An error that the rule does not cover, found by the caller. */
  readonly error?: string | undefined;
  readonly value: number;
  readonly rule: NumberRule;
  /** How far an arrow key goes. */
  readonly step: number;
  /** Called with every number typed that the rule allows, and with no other. */
  readonly onChange: (value: number) => void;
}

/** A number typed as text: what is not one stays in sight, with what was expected. */
export function NumberField({ value, rule, step, error, onChange, ...field }: NumberFieldProps) {
  const { t } = useText();
  const [draft, setDraft] = useState<string | null>(null);
  const isWrong = draft !== null && parseNumber(draft, rule) === undefined;
  const { min, max } = rule;
  const key = rule.kind === 'integer' ? 'field.integerExpected' : 'field.numberExpected';

  function type(text: string) {
    setDraft(text);
    const parsed = parseNumber(text, rule);
    if (parsed !== undefined) onChange(parsed);
  }

  function stepByKey(event: KeyboardEvent) {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    setDraft(null);
    onChange(stepNumber(value, direction * step, rule));
  }

  return (
    <Field {...field} error={isWrong ? t(key, { min, max }) : error}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode={rule.kind === 'integer' ? 'numeric' : 'decimal'}
          autoComplete="off"
          value={draft ?? String(value)}
          onChange={(event) => type(event.target.value)}
          onKeyDown={stepByKey}
          onBlur={() => setDraft(isWrong ? draft : null)}
        />
      )}
    </Field>
  );
}
