import { Scope } from '../../../../edge/contract/scope.ts';
import { CheckGroup } from '../../../ui/CheckGroup.tsx';
import { useKeysText } from '../keys-text.ts';

export interface ScopeChoiceProps {
  readonly chosen: readonly Scope[];
  readonly error: string | undefined;
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** Every scope with what it allows. */
export function ScopeChoice(props: ScopeChoiceProps) {
  const { t } = useKeysText();
  return (
    <CheckGroup
      {...props}
      legend={t('new.scopes')}
      options={Scope.options}
      meaning={(scope) => t(`scope.${scope}`)}
    />
  );
}
