import { useCopy } from '../../../app/use-copy.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useLabText } from '../lab-text.ts';
import { useLab } from '../the-lab.ts';

/** Copies the prompt and what was written after it. */
export function CopyText() {
  const { t } = useLabText();
  const copy = useCopy();
  const text = useLab(({ writing }) =>
    writing.status === 'idle' ? '' : writing.prompt + writing.text,
  );

  return (
    <IconButton
      icon="copy"
      label={t('write.copy')}
      disabled={text === ''}
      onClick={() => void copy(text)}
    />
  );
}
