import { useState, type MouseEvent } from 'react';
import { useLocation } from 'wouter';
import { useText } from '../i18n/text-context.ts';
import { NavigationContext } from '../routing/navigation-context.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Toasts } from '../ui/Toasts.tsx';
import { useMedia } from '../ui/use-media.ts';
import { Navigation } from './Navigation.tsx';
import { Preferences } from './Preferences.tsx';
import { ScreenOutlet } from './ScreenOutlet.tsx';
import { useServices } from './services.ts';
import css from './Shell.module.css';
import { TopBar } from './TopBar.tsx';

/** Below this the navigation and the switches move into a drawer. */
const NARROW = '(width < 56rem)';

const CONTENT = 'content';

/** What stays around every screen: the top bar, the navigation, the toasts. */
export function Shell() {
  const { t } = useText();
  const { toasts } = useServices();
  const [path] = useLocation();
  const isNarrow = useMedia(NARROW);
  const [menu, setMenu] = useState<'open' | 'closed'>('closed');
  const arrival = useArrival(path);
  const closeMenu = () => setMenu('closed');

  return (
    <div className={css['shell']}>
      <a className={css['skip']} href={`#${CONTENT}`} onClick={skipToContent}>
        {t('shell.skip')}
      </a>
      <TopBar layout={isNarrow ? 'narrow' : 'wide'} onMenu={() => setMenu('open')} />
      {!isNarrow && (
        <div className={css['side']}>
          <Navigation />
        </div>
      )}
      <main id={CONTENT} tabIndex={-1} className={css['main']}>
        <NavigationContext value={arrival}>
          <ScreenOutlet key={path} />
        </NavigationContext>
      </main>
      {isNarrow && menu === 'open' && (
        <Dialog title={t('shell.menu')} shape="drawer" onClose={closeMenu}>
          <Navigation onChoose={closeMenu} />
          <Preferences />
        </Dialog>
      )}
      <Toasts toasts={toasts} />
    </div>
  );
}

/** By hand: a fragment in the address would take the focus again whenever one goes back to it. */
function skipToContent(event: MouseEvent) {
  event.preventDefault();
  document.getElementById(CONTENT)?.focus();
}

/** `navigated` from the first change of the path on. */
function useArrival(path: string) {
  const [first] = useState(path);
  const [hasMoved, setHasMoved] = useState(false);
  if (!hasMoved && path !== first) setHasMoved(true);
  return hasMoved ? 'navigated' : 'loaded';
}
