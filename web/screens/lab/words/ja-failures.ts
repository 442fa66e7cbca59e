import type { enFailures } from './en-failures.ts';

export const jaFailures = {
  'failure.shape-mismatch': 'モデルの部品どうしの形が合いません。',
  'failure.invalid-structure': 'この構成ではモデルを作れません。',
  'failure.invalid-setting': '設定できない値があります。',
  'failure.unknown-device': 'そのデバイスはありません。',
  'failure.no-adapter': 'このデバイスはここでは使えません。',
  'failure.device-lost': 'デバイスが失われました。',
  'failure.shader-invalid': 'デバイスがプログラムを拒否しました。',
  'failure.out-of-memory': 'このモデルにはデバイスのメモリーが足りません。',
  'failure.text-too-short': 'テキストが短すぎます。',
  'failure.text-invalid': 'テキストとして読み取れません。',
  'failure.images-invalid': '画像として読み取れません。',
  'failure.signal-invalid': '信号に範囲外の値があります。',
  'failure.unknown-character': 'モデルが知らない文字が含まれています。',
  'failure.checkpoint-missing': 'チェックポイントのファイルが足りません。',
  'failure.checkpoint-damaged': 'チェックポイントが壊れています。',
  'failure.checkpoint-mismatch': 'チェックポイントが合いません。',
  'failure.storage-full': '保存する容量がありません。',
  'failure.generator-busy': 'モデルは別のテキストを生成しています。',
  'failure.diverged': '損失が発散しました。',
} satisfies Readonly<Record<keyof typeof enFailures, string>>;
