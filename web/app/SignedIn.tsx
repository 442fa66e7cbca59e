import { useState } from 'react';
import { describeFailure } from '../api/failure.ts';
import { useText } from '../i18n/text-context.ts';
import { Button } from '../ui/Button.tsx';
import { useServices } from './services.ts';
import { useSession, useSigning } from './session.ts';

/** The way out, for those who signed in. */
export function SignedIn() {
  const text = useText();
  const { toasts } = useServices();
  const session = useSession();
  const { signOut } = useSigning();
  const [isLeaving, setLeaving] = useState(false);
  if (session?.kind !== 'session') return null;

  async function leave() {
    setLeaving(true);
    try {
      await signOut();
    } catch (error) {
      toasts.show(describeFailure(error, text).title, 'bad');
    }
    setLeaving(false);
  }

  return (
    <Button tone="quiet" icon="leave" disabled={isLeaving} onClick={() => void leave()}>
      {text.t('shell.signOut')}
    </Button>
  );
}
