import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import css from './Tooltip.module.css';

export interface TooltipProps {
  /** What cannot be seen without it: the whole of a shortened value, an absolute time. */
  readonly text: string;
  /** One element that can take the focus, so that the text is there for the keyboard too. */
  readonly children: ReactNode;
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={250}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content className={css['bubble']} sideOffset={6} collisionPadding={12}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
