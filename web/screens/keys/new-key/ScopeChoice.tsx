import { useId } from 'react';
import { Scope } from '../../../../edge/contract/scope.ts';
import { Icon } from '../../../ui/Icon.tsx';
import css from '../Keys.module.css';
import { useKeysText } from '../keys-text.ts';

export interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly error: string | undefined;
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** Every scope with what it allows. */
export function ScopeChoice({ chosen, error, onChange }: ScopeChoiceProps) {
  const { t } = useKeysText();
  const errorId = useId();
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(Scope.options.filter((one) => (one === scope ? isOn : chosen.includes(one))));
  return (
    <fieldset className={css['choices']} aria-describedby={error && errorId}>
      <legend className={css['legend']}>{t('new.scopes')}</legend>
      {Scope.options.map((scope) => (
        <label key={scope} className={css['choice']}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={(event) => toggle(scope, event.target.checked)}
          />
          <code>{scope}</code>
          <span>{t(`scope.${scope}`)}</span>
        </label>
      ))}
      {error && (
        <p id={errorId} className={css['error']}>
          <Icon name="error" size="small" />
          {error}
        </p>
      )}
    </fieldset>
  );
}
