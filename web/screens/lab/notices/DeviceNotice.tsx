import { type Gpu, probeDevice } from '../../../api/device.ts';
import { Button } from '../../../ui/Button.tsx';
import { useLabForm } from '../fields-context.ts';
import { useLabText } from '../lab-text.ts';
import { isShaped } from '../run/use-run.ts';
import { useLab } from '../lab-store.ts';
import { Notice } from './Notice.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** Says what stands in the way of a GPU that was chosen by hand, and offers what works without one. */
export function DeviceNotice() {
  const { fields } = useLabForm();
  return fields.device === 'webgpu' ? <GpuNotice /> : null;
}

function GpuNotice() {
  const { t } = useLabText();
  const gpu = useGpu();
  if (!gpu || gpu.kind === 'hardware') return null;
  if (gpu.kind === 'software') {
    const name = gpu.name || t('device.unnamed');
    return (
      <WasmOffer title={t('device.software', { name })}>
        <p>{t('device.softwareHelp')}</p>
      </WasmOffer>
    );
  }
  const isMissing = gpu.kind === 'missing';
  return (
    <WasmOffer title={t(isMissing ? 'device.none' : 'device.noAdapter')}>
      <p>{t(isMissing ? 'device.noneHelp' : 'device.noAdapterHelp')}</p>
      <p>{t('device.wasmHelp')}</p>
    </WasmOffer>
  );
}

interface WasmOfferProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** While there is a run its device stays what it is: nothing to press then. */
function WasmOffer({ title, children }: WasmOfferProps) {
  const { t } = useLabText();
  const { change } = useLabForm();
  const isLocked = useLab(({ run }) => isShaped(run));
  const offer = <Button onClick={() => change({ device: 'wasm' })}>{t('device.useWasm')}</Button>;
  return (
    <Notice tone="warn" title={title} actions={!isLocked && offer}>
      {children}
    </Notice>
  );
}

/** GPU support of the browser; undefined until it is known. */
function useGpu(): Gpu | undefined {
  return useQuery({ queryKey: ['device'], queryFn: probeDevice }).data?.gpu;
}
