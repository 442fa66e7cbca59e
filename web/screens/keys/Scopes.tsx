import type { Scope } from '../../../edge/contract/scope.ts';
import css from './Keys.module.css';

export function Scopes({ scopes }: { readonly scopes: readonly Scope[] }) {
  return (
    <ul className={css['scopes']}>
      {scopes.map((scope) => (
        <li key={scope} className={css['scope']}>
          {scope}
        </li>
      ))}
    </ul>
  );
}
