import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Row } from '../../../ui/Layout.tsx';
import css from './Notice.module.css';

interface NoticeProps {
  readonly tone: 'info' | 'warn' | 'bad';
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons for what can be done about it. */
  readonly actions?: ReactNode;
}

/** Something that everybody on the screen should know, above the rest of it. */
export function Notice({ tone, title, children, actions }: NoticeProps) {
  return (
    <div
      className={classNames(css['notice'], css[tone])}
      role={tone === 'bad' ? 'alert' : undefined}
    >
      <Icon name={tone === 'info' ? 'lab' : 'error'} />
      <div className={css['words']}>
        <p className={css['title']}>{title}</p>
        {children}
      </div>
      {actions && <Row align="stretch">{actions}</Row>}
    </div>
  );
}
