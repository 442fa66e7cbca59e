import { useStore } from 'zustand';
import { useText } from '../i18n/text-context.ts';
import type { Toasts as ToastStore } from '../stores/toasts.ts';
import { classNames } from './class-names.ts';
import { IconButton } from './IconButton.tsx';
import css from './Toasts.module.css';

interface ToastsProps {
  readonly toasts: ToastStore;
}

/** Where toasts appear. The region is there from the start, or its first words would go unread. */
export function Toasts({ toasts }: ToastsProps) {
  const { t } = useText();
  const shown = useStore(toasts.store);
  return (
    <output className={css['region']} aria-live="polite" aria-label={t('ui.messages')}>
      {shown.map((toast) => (
        <div key={toast.id} className={classNames(css['toast'], css[toast.tone])}>
          <span>{toast.text}</span>
          <IconButton
            icon="close"
            label={t('ui.dismiss')}
            onClick={() => toasts.dismiss(toast.id)}
          />
        </div>
      ))}
    </output>
  );
}
