import type { Scope } from '../../../edge/contract/scope.ts';
import { Row } from '../../ui/Layout.tsx';
import css from './Keys.module.css';

export function Scopes({ scopes }: { readonly scopes: readonly Scope[] }) {
  return (
    <Row as="ul" gap={1} align="stretch" style={{ minWidth: '9rem' }}>
      {scopes.map((scope) => (
        <li key={scope} className={css['scope']}>
          {scope}
        </li>
      ))}
    </Row>
  );
}
