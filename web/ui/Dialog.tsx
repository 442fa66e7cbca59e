import {
  useId,
  useLayoutEffect,
  useRef,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react';
import { useText } from '../i18n/text-context.ts';
import css from './Dialog.module.css';
import { IconButton } from './IconButton.tsx';
import { Row } from './Layout.tsx';

interface DialogProps {
  readonly title: string;
  /** A drawer slides in from the side and is as high as the page. */
  readonly shape?: 'box' | 'drawer';
  /** A deliberate one holds what cannot be seen again: only its buttons close it. */
  readonly closing?: 'easy' | 'deliberate';
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The browser's own modal dialog, open for as long as it is rendered: it keeps the focus inside,
 * closes on Escape and gives the focus back to where it was.
 */
export function Dialog({ title, shape = 'box', closing = 'easy', onClose, children }: DialogProps) {
  const { t } = useText();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // A layout effect is undone while the dialog is still in the page: only then does closing it give
  // the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  // The backdrop belongs to the dialog: a click on it has no other target.
  const closeOnBackdrop = (event: MouseEvent) => {
    if (closing === 'easy' && event.target === event.currentTarget) onClose();
  };
  const closeOnEscape = (event: SyntheticEvent) => {
    if (closing === 'easy') onClose();
    else event.preventDefault();
  };

  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape is the browser's
    <dialog
      ref={dialog}
      className={css[shape]}
      aria-labelledby={id}
      onClick={closeOnBackdrop}
      onCancel={closeOnEscape}
    >
      <div className={css['content']}>
        <header className={css['head']}>
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** The buttons under a dialog or a form, the one that submits last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <Row justify="flex-end">{children}</Row>;
}
