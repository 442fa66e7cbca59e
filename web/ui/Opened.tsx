import type { ReactNode } from 'react';

/** Content that was just opened, perhaps below the fold: it is scrolled into view. */
export function Opened({ children }: { readonly children: ReactNode }) {
  return <div ref={bringIntoSight}>{children}</div>;
}

const bringIntoSight = (element: HTMLElement | null): void =>
  element?.scrollIntoView({ block: 'nearest' });
