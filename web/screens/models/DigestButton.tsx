import { useServices } from '../../app/services.ts';
import { useText } from '../../i18n/text-context.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import css from './Model.module.css';

export interface DigestButtonProps {
  /** What the digest is of, in words. */
  readonly of: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
}

/** A digest shortened to what eyes can compare; whole in the tooltip and on the clipboard. */
export function DigestButton({ of, digest }: DigestButtonProps) {
  const { t } = useText();
  const { toasts } = useServices();
  const short = `${digest.slice(7, 15)}…${digest.slice(-4)}`;

  async function copy() {
    try {
      await navigator.clipboard.writeText(digest);
      toasts.show(t('ui.copied'), 'good');
    } catch {
      // Refused by the person or the browser; on an insecure page there is no clipboard at all.
      toasts.show(t('ui.copyFailed'), 'bad');
    }
  }

  return (
    <Tooltip text={digest}>
      <button type="button" className={css['digest']} onClick={() => void copy()}>
        <span className="visually-hidden">{t('model.copyDigest', { file: of })}</span>
        <code>{short}</code>
        <Icon name="copy" size="small" />
      </button>
    </Tooltip>
  );
}
