import { Button } from '../../../ui/Button.tsx';
import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { Notice } from './Notice.tsx';
import { useGpu } from './use-gpu.ts';

/** Says what the browser lacks, what to do about it, and what works all the same. */
export function DeviceNotice() {
  const { t } = useLabText();
  const { fields, change } = useLabForm();
  const gpu = useGpu();
  const isLacking = gpu?.kind === 'missing' || gpu?.kind === 'none';
  if (!isLacking || fields.device === 'reference') return null;
  const isMissing = gpu.kind === 'missing';
  return (
    <Notice
      tone="warn"
      title={t(isMissing ? 'device.none' : 'device.noAdapter')}
      actions={
        <Button onClick={() => change({ device: 'reference' })}>{t('device.useReference')}</Button>
      }
    >
      <p>{t(isMissing ? 'device.noneHelp' : 'device.noAdapterHelp')}</p>
      <p>{t('device.referenceHelp')}</p>
    </Notice>
  );
}
