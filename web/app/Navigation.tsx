import { Link, useLocation } from 'wouter';
import { useText } from '../i18n/text-context.ts';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/Icon.tsx';
import css from './Navigation.module.css';
import { SCREENS, SECTIONS, type Section } from './screens.ts';
import { Stack } from '../ui/Layout.tsx';

interface NavigationProps {
  /** Called when a link was followed, so that a drawer around it can close. */
  readonly onChoose?: () => void;
}

export function Navigation({ onChoose }: NavigationProps) {
  const { t } = useText();
  return (
    <Stack
      as="nav"
      gap={5}
      style={{ padding: 'var(--space-5) var(--space-3)' }}
      aria-label={t('shell.navigation')}
    >
      {SECTIONS.map((section) => (
        <Stack gap={1} key={section}>
          <p className={css['heading']} id={`nav-${section}`}>
            {t(`section.${section}`)}
          </p>
          <ul aria-labelledby={`nav-${section}`}>
            <SectionLinks section={section} {...(onChoose ? { onChoose } : {})} />
          </ul>
        </Stack>
      ))}
    </Stack>
  );
}

interface SectionLinksProps extends NavigationProps {
  readonly section: Section;
}

function SectionLinks({ section, onChoose }: SectionLinksProps) {
  const { language } = useText();
  const [path] = useLocation();
  return SCREENS.map((screen) => {
    const { title, icon } = screen;
    if (screen.section !== section || !title || !icon) return null;
    const isHere = isWithin(path, screen.path);
    return (
      <li key={screen.path}>
        <Link
          href={screen.path}
          className={classNames(css['link'], isHere && css['here'])}
          aria-current={isHere ? 'page' : undefined}
          onClick={onChoose}
        >
          <Icon name={icon} />
          {title[language]}
        </Link>
      </li>
    );
  });
}

/** A model's own screen still belongs to "Models"; one with a place of its own is only there. */
function isWithin(path: string, screen: string): boolean {
  if (path === screen) return true;
  const isListed = SCREENS.some((other) => other.path === path);
  return !isListed && screen !== '/' && path.startsWith(`${screen}/`);
}
