import type { Translation } from '../i18n/message.ts';
import type { enModel } from './en-model.ts';

export const jaModel = {
  'architecture.dense_chronospike': 'スパイキング・テキストモデル',
  'architecture.spiking_vision': 'スパイキング画像分類器',
  'architecture.spiking_audio': 'スパイキング音声分類器',

  'modelField.d_model': '幅',
  'modelField.n_heads': 'ヘッド数',
  'modelField.num_blocks': 'ブロック数',
  'modelField.time_steps': '時間ステップ',
  'modelField.neuron_type': 'ニューロン',
  'modelField.seq_len': '系列長',
  'modelField.model_category': 'カテゴリ',
  'modelField.model_variant': '種類',
  'modelField.output_dim': 'クラス数',
  'modelField.audio_category': 'カテゴリ',
  'modelField.mfcc_features': 'MFCC 特徴数',
  'modelField.mfcc_seq_len': 'MFCC フレーム数',
  'modelField.output_neurons': 'クラス数',
  'modelField.precision': '精度',
  'modelField.quantization': '量子化',
  'modelField.privacy_level': 'プライバシー',
  'modelField.synthetic': '合成音',
  'modelField.batch_size': 'バッチサイズ',
  'modelField.learning_rate': '学習率',
  'modelField.architecture': '系統',
  'modelField.preset': 'プリセット',

  'choice.true': 'はい',
  'choice.false': 'いいえ',

  'preset.tiny': '極小',
  'preset.small': '小',
  'preset.base': '標準',
  'preset.large': '大',
  'preset.conv': '畳み込み',
  'preset.mlp': '多層パーセプトロン',
  'preset.custom': 'カスタム',
} satisfies { readonly [Key in keyof typeof enModel]: Translation<(typeof enModel)[Key]> };
