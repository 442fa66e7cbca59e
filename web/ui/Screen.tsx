import { use, useEffect, useRef, type ReactNode } from 'react';
import { useText } from '../i18n/text-context.ts';
import { NavigationContext, ScreenTitleContext } from '../routing/navigation-context.ts';
import { classNames } from './class-names.ts';
import { Row } from './Layout.tsx';
import css from './Screen.module.css';

export interface ScreenProps {
  /** The one h1, and the first half of the document's title; its title in app/screens.ts unless given. */
  readonly title?: string;
  /** A sentence under the title. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Wide uses all the room there is, for screens of many parts. */
  readonly width?: 'reading' | 'wide';
  readonly children: ReactNode;
}

/** The frame of every screen: its heading, which takes the focus after a navigation, and its title. */
export function Screen({
  title: ownTitle,
  lead,
  actions,
  width = 'reading',
  children,
}: ScreenProps) {
  const { t } = useText();
  const screenTitle = use(ScreenTitleContext);
  const title = ownTitle ?? screenTitle;
  const heading = useRef<HTMLHeadingElement>(null);
  const arrival = use(NavigationContext);

  useEffect(() => {
    document.title = t('shell.documentTitle', { screen: title });
  }, [title, t]);

  useEffect(() => {
    // The first screen of a visit leaves the focus where a reader starts: at the top of the page.
    if (arrival === 'navigated') heading.current?.focus({ preventScroll: true });
  }, [arrival]);

  return (
    <div className={classNames(css['screen'], css[width])}>
      <header className={css['head']}>
        <div className={css['words']}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className={css['lead']}>{lead}</p>}
        </div>
        {actions && <Row align="stretch">{actions}</Row>}
      </header>
      {children}
    </div>
  );
}
