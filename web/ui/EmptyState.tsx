import type { ReactNode } from 'react';
import { Row } from './Layout.tsx';
import css from './EmptyState.module.css';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  /** Suggested action. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Where a list has nothing to list, this says why and what to do. */
export function EmptyState({ icon = 'empty', title, children, action }: EmptyStateProps) {
  return (
    <div className={css['state']}>
      <span className={css['icon']}>
        <Icon name={icon} size="large" />
      </span>
      <p className={css['title']}>{title}</p>
      <div className={css['body']}>{children}</div>
      {action && (
        <Row align="stretch" justify="center" style={{ marginTop: 'var(--space-2)' }}>
          {action}
        </Row>
      )}
    </div>
  );
}
