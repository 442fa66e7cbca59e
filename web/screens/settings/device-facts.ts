import type { Device, Gpu, GpuFeature, Wasm } from '../../api/device.ts';
import type { PlainKeyOf } from '../../i18n/text.ts';
import type { Fact } from '../../ui/Facts.tsx';
import type { enSettings, SettingsText } from './words/en-settings.ts';

const FEATURE_NAMES: Readonly<Record<GpuFeature, PlainKeyOf<typeof enSettings>>> = {
  'shader-f16': 'device.half',
  subgroups: 'device.subgroups',
  'timestamp-query': 'device.timestamps',
};

/** A device as names and values in words. */
export function deviceFacts(text: SettingsText, { gpu, wasm }: Device): Fact[] {
  return [
    { label: text.t('device.webgpu'), value: gpuSentence(text, gpu) },
    ...gpuDetails(text, gpu),
    { label: text.t('device.wasm'), value: wasmWords(text, wasm) },
  ];
}

function gpuSentence({ t }: SettingsText, gpu: Gpu): string {
  switch (gpu.kind) {
    case 'missing':
      return t('device.gpuMissing');
    case 'none':
      return t('device.gpuNone');
    default: {
      const name = gpu.name === '' ? t('device.unnamed') : gpu.name;
      return t(gpu.kind === 'hardware' ? 'device.gpuHardware' : 'device.gpuSoftware', { name });
    }
  }
}

function gpuDetails({ t, format }: SettingsText, gpu: Gpu): Fact[] {
  if (gpu.kind === 'missing' || gpu.kind === 'none') return [];
  const features = gpu.features.map((feature) => t(FEATURE_NAMES[feature]));
  return [
    {
      label: t('device.features'),
      value: features.length === 0 ? t('ui.none') : format.list(features),
    },
    { label: t('device.memory'), value: format.bytes(gpu.maxBufferBytes) },
  ];
}

function wasmWords({ t, format }: SettingsText, { simd, threads }: Wasm): string {
  const vectors = {
    none: [],
    plain: [t('device.simd')],
    relaxed: [t('device.simd'), t('device.relaxedSimd')],
  }[simd];
  const workers = threads > 1 ? t('device.threads', { count: threads }) : t('device.oneThread');
  return format.list([...vectors, workers]);
}
