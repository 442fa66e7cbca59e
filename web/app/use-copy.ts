import { useText } from '../i18n/text-context.ts';
import { useServices } from './services.ts';

/** Puts text on the clipboard, and says whether that went well. */
export function useCopy(): (text: string) => Promise<void> {
  const { t } = useText();
  const { toasts } = useServices();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.show(t('ui.copied'), 'good');
    } catch {
      // Refused by the person or the browser; on an insecure page there is no clipboard at all.
      toasts.show(t('ui.copyFailed'), 'bad');
    }
  };
}
