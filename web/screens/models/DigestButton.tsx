import { useCopy } from '../../app/use-copy.ts';
import { useModelsText } from './models-text.ts';
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
  const { t } = useModelsText();
  const copy = useCopy();
  const short = `${digest.slice(7, 15)}…${digest.slice(-4)}`;

  return (
    <Tooltip text={digest}>
      <button type="button" className={css['digest']} onClick={() => void copy(digest)}>
        <span className="visually-hidden">{t('model.copyDigest', { file: of })}</span>
        <code>{short}</code>
        <Icon name="copy" size="small" />
      </button>
    </Tooltip>
  );
}
