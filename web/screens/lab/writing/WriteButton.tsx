import { Button } from '../../../ui/Button.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useLabText } from '../lab-text.ts';
import { ariaShortcut, SHORTCUTS, shortcutText, useShortcut } from '../run/shortcuts.ts';
import type { WritingControls } from './use-writing.ts';

/** Write or stop; one button for both, so that the focus stays where it is. */
export function WriteButton({ controls }: { readonly controls: WritingControls }) {
  const { t } = useLabText();
  const { canWrite, isWriting, write, stop } = controls;
  const action = isWriting ? stop : canWrite ? write : undefined;
  useShortcut(SHORTCUTS.write, action);
  return (
    <Tooltip text={t('write.startHint', { keys: shortcutText(SHORTCUTS.write) })}>
      <Button
        tone="primary"
        icon={isWriting ? 'stop' : 'write'}
        state={action ? 'ready' : 'blocked'}
        aria-keyshortcuts={ariaShortcut(SHORTCUTS.write)}
        // As the button that submits, it lets Enter in the prompt write.
        type={isWriting ? 'button' : 'submit'}
        {...(isWriting && { onClick: stop })}
      >
        {t(isWriting ? 'write.stop' : 'write.start')}
      </Button>
    </Tooltip>
  );
}
