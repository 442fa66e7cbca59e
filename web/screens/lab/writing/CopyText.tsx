import { useServices } from '../../../app/services.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../the-lab.ts';

/** Copies the prompt and what was written after it. */
export function CopyText() {
  const { t } = useLabText();
  const { toasts } = useServices();
  const text = useLab(({ writing }) =>
    writing.status === 'idle' ? '' : writing.prompt + writing.text,
  );

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      toasts.show(t('ui.copied'), 'good');
    } catch {
      // Refused by the person or the browser; on an insecure page there is no clipboard at all.
      toasts.show(t('ui.copyFailed'), 'bad');
    }
  }

  return (
    <IconButton
      icon="copy"
      label={t('write.copy')}
      disabled={text === ''}
      onClick={() => void copy()}
    />
  );
}
