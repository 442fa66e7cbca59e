import type { Session } from '../../edge/access/contract/session.ts';
import { useText } from '../i18n/text-context.ts';
import { NavigationContext } from '../routing/navigation-context.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Toasts } from '../ui/Toasts.tsx';
import { classNames } from '../ui/class-names.ts';
import { useMedia } from '../ui/use-media.ts';
import { Navigation } from './Navigation.tsx';
import { Preferences } from './Preferences.tsx';
import { ScreenOutlet } from './ScreenOutlet.tsx';
import css from './Shell.module.css';
import { SignedIn } from './SignedIn.tsx';
import { TopBar } from './TopBar.tsx';
import { useServices } from './services.ts';
import { useSession } from './session.ts';
import { lazy, type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'wouter';

/** Below this the navigation and the switches move into a drawer. */
const NARROW = '(width < 56rem)';

const CONTENT = 'content';

/** The frame around every screen: top bar, navigation and toasts. */
export function Shell() {
  const { t } = useText();
  const { toasts } = useServices();
  const [path] = useLocation();
  const isNarrow = useMedia(NARROW);
  const [menu, setMenu] = useState<'open' | 'closed'>('closed');
  const session = useSession();
  const isOutside = session?.kind === 'anonymous';
  const arrival = useArrival(isOutside ? 'sign-in' : path);
  const closeMenu = () => setMenu('closed');

  return (
    <div className={classNames(css['shell'], isOutside && css['outside'])}>
      <a className={css['skip']} href={`#${CONTENT}`} onClick={skipToContent}>
        {t('shell.skip')}
      </a>
      <TopBar layout={isNarrow ? 'narrow' : 'wide'} onMenu={() => setMenu('open')} />
      {!isNarrow && !isOutside && (
        <div className={css['side']}>
          <Navigation />
        </div>
      )}
      <main id={CONTENT} tabIndex={-1} className={css['main']}>
        <NavigationContext value={arrival}>
          <SessionGate session={session}>
            <ScreenOutlet key={path} />
          </SessionGate>
        </NavigationContext>
      </main>
      {isNarrow && menu === 'open' && (
        <Dialog title={t('shell.menu')} shape="drawer" onClose={closeMenu}>
          {!isOutside && <Navigation onChoose={closeMenu} />}
          <Preferences />
          <SignedIn />
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

/** `navigated` from the first change of the place on. */
function useArrival(place: string) {
  const [first] = useState(place);
  const [hasMoved, setHasMoved] = useState(false);
  if (!hasMoved && place !== first) setHasMoved(true);
  return hasMoved ? 'navigated' : 'loaded';
}

const SignIn = lazy(async () => ({
  default: (await import('../screens/sign-in/SignIn.tsx')).SignIn,
}));

interface SessionGateProps {
  readonly session: Session | undefined;
  readonly children: ReactNode;
}

/** Nobody but those who are signed in, or need not be, gets past it. The address stays. */
function SessionGate({ session, children }: SessionGateProps) {
  if (session?.kind !== 'anonymous') return children;
  return (
    <Suspense fallback={<Skeleton lines={6} lineRem={2.5} />}>
      <SignIn />
    </Suspense>
  );
}
