/** Japanese texts of the settings. Terms are those of the glossary. */
export const jaSettings = {
  'settings.appearance': '言語と外観',
  'settings.appearanceNote':
    'このブラウザーに保存されます。言語はアドレスにも入るため、コピーしたリンクは同じ言語で開きます。',
  'settings.about': 'このシステムについて',
  'settings.aboutNote': 'このページが接続しているプラットフォームです。',
  'settings.device': 'この端末',
  'settings.deviceNote': 'このブラウザーで使える計算機能です。',
  'settings.gateway': 'ゲートウェイ',
  'settings.gatewayVersion': 'バージョン {version}',
  'settings.gatewayUnknown': '応答がありません',
  'settings.uptime': '稼働時間',

  'device.webgpu': 'WebGPU',
  'device.gpuHardware': 'ハードウェアアダプター: {name}。',
  'device.gpuSoftware':
    'ソフトウェアアダプターのみ ({name})。ここでは WebGPU は CPU 上で動作します。',
  'device.gpuNone': 'このブラウザーは WebGPU に対応していますが、アダプターが見つかりません。',
  'device.gpuMissing': 'このブラウザーは WebGPU に対応していません。',
  'device.features': '機能',
  'device.half': '16 ビット浮動小数点',
  'device.subgroups': 'サブグループ',
  'device.timestamps': 'タイムスタンプ',
  'device.memory': '最大バッファー',
  'device.wasm': 'WebAssembly',
  'device.simd': 'SIMD',
  'device.relaxedSimd': 'Relaxed SIMD',
  'device.threads': { other: '{count} スレッド' },
  'device.oneThread': '1 スレッド: このページはクロスオリジン分離されていません。',
} as const;
