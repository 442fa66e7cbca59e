import { Link } from 'wouter';
import { useText } from '../i18n/text-context.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import { Logo } from './Logo.tsx';
import { Preferences } from './Preferences.tsx';
import { SignedIn } from './SignedIn.tsx';
import { Row } from '../ui/Layout.tsx';
import css from './TopBar.module.css';

interface TopBarProps {
  /** Narrow shows a button for the menu instead of what has moved into it. */
  readonly layout: 'wide' | 'narrow';
  readonly onMenu: () => void;
}

const NAME = 'spikegrid';

export function TopBar({ layout, onMenu }: TopBarProps) {
  const { t } = useText();
  return (
    <header className={css['bar']}>
      {layout === 'narrow' && (
        <IconButton icon="menu" label={t('shell.menu')} aria-haspopup="dialog" onClick={onMenu} />
      )}
      <Link href="/" className={css['home']} aria-label={t('shell.home')}>
        <Logo />
        <span className={css['name']}>{NAME}</span>
      </Link>
      <Row gap={[2, 4]} justify="flex-end" style={{ marginLeft: 'auto' }}>
        <ConnectionState />
        {layout === 'wide' && <Preferences />}
        {layout === 'wide' && <SignedIn />}
      </Row>
    </header>
  );
}
