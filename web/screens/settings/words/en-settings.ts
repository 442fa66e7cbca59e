import { createScreenText, type ScreenText } from '../../../i18n/screen-text.ts';
import { jaSettings } from './ja-settings.ts';

/** English texts of the settings. */
export const enSettings = {
  'settings.appearance': 'Language and appearance',
  'settings.appearanceNote':
    'Stored in this browser. The language is also part of the address, so a copied link opens in it.',
  'settings.about': 'About',
  'settings.aboutNote': 'The platform behind this page.',
  'settings.device': 'This device',
  'settings.deviceNote': 'Compute features of this browser.',
  'settings.gateway': 'Gateway',
  'settings.gatewayVersion': 'Version {version}',
  'settings.gatewayUnknown': 'Not responding',
  'settings.uptime': 'Uptime',

  'device.webgpu': 'WebGPU',
  'device.gpuHardware': 'A hardware adapter: {name}.',
  'device.gpuSoftware': 'A software adapter only ({name}): WebGPU runs on the CPU here.',
  'device.gpuNone': 'This browser offers WebGPU but found no adapter.',
  'device.gpuMissing': 'This browser does not offer WebGPU.',
  'device.features': 'Features',
  'device.half': '16-bit floats',
  'device.subgroups': 'Subgroups',
  'device.timestamps': 'Timestamps',
  'device.memory': 'Largest buffer',
  'device.wasm': 'WebAssembly',
  'device.simd': 'SIMD',
  'device.relaxedSimd': 'Relaxed SIMD',
  'device.threads': { one: '{count} thread', other: '{count} threads' },
  'device.oneThread': 'One thread: this page is not cross-origin isolated.',
} as const;

export type SettingsText = ScreenText<typeof enSettings>;

/** Everything that the settings say, in the page's language. */
export const useSettingsText = createScreenText<typeof enSettings>({
  en: enSettings,
  ja: jaSettings,
});
