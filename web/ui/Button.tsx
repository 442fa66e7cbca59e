import type { ButtonHTMLAttributes, ReactNode } from 'react';
import css from './Button.module.css';
import { classNames } from './class-names.ts';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';

type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'danger';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'className'> {
  readonly tone?: ButtonTone;
  readonly icon?: IconName;
  readonly type?: 'button' | 'submit';
  /** A blocked button takes no clicks for a moment, but keeps the focus, which a disabled one loses. */
  readonly state?: 'ready' | 'blocked';
  readonly children: ReactNode;
}

/** The look of a button, for links that look like one. */
export function buttonClass(tone: ButtonTone): string {
  return classNames(css['button'], css[tone]);
}

export function Button({
  tone = 'secondary',
  icon,
  type = 'button',
  state = 'ready',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const isBlocked = state === 'blocked';
  return (
    <button
      type={type}
      className={buttonClass(tone)}
      aria-disabled={isBlocked || undefined}
      onClick={isBlocked ? undefined : onClick}
      {...rest}
    >
      {icon && <Icon name={icon} size="small" />}
      {children}
    </button>
  );
}
