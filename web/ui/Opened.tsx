import type { ReactNode } from 'react';

/** What somebody opened, perhaps below where they look: it comes into sight. */
export function Opened({ children }: { readonly children: ReactNode }) {
  return <div ref={bringIntoSight}>{children}</div>;
}

const bringIntoSight = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest' });
