import { lazy, Suspense, type ReactNode } from 'react';
import type { Session } from '../../edge/access/contract/session.ts';
import { Skeleton } from '../ui/Skeleton.tsx';

const SignIn = lazy(async () => ({
  default: (await import('../screens/sign-in/SignIn.tsx')).SignIn,
}));

interface SessionGateProps {
  readonly session: Session | undefined;
  readonly children: ReactNode;
}

/** Nobody but those who are signed in, or need not be, gets past it. The address stays. */
export function SessionGate({ session, children }: SessionGateProps) {
  if (session?.kind !== 'anonymous') return children;
  return (
    <Suspense fallback={<Skeleton lines={6} lineRem={2.5} />}>
      <SignIn />
    </Suspense>
  );
}
