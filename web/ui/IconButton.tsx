import type { ButtonHTMLAttributes } from 'react';
import button from './Button.module.css';
import { classNames } from './class-names.ts';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';

interface IconButtonProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'type' | 'className' | 'children' | 'aria-label' | 'title'
> {
  readonly icon: IconName;
  /** The action, in words: read by screen readers, and shown by the browser on hover. */
  readonly label: string;
}

/** A button with a picture and no room for words. */
export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classNames(button['button'], button['quiet'], button['icon'])}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}
