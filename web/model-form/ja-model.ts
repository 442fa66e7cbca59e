import type { Translation } from '../i18n/message.ts';
import type { enModel } from './en-model.ts';

export const jaModel = {
  'architecture.dense_chronospike': 'スパイキング・テキストモデル',
  'architecture.standard_transformer': '浮動小数点トランスフォーマー',
  'architecture.spiking_multimodal': '画像・音声の説明文（スパイキング）',

  'modelField.d_model': '幅',
  'modelField.n_heads': 'ヘッド数',
  'modelField.num_blocks': 'ブロック数',
  'modelField.time_steps': '時間ステップ',
  'modelField.neuron_type': 'ニューロン',
  'modelField.seq_len': '系列長',
  'modelField.tokenizer': 'トークン',
  'modelField.vocab_size': '語彙の上限',
  'modelField.encoding': '文字コード',
  'modelField.aozora': '青空文庫の注記を除く',
  'modelField.normalise': '正規化',
  'modelField.caption_seq_len': '説明文の長さ',
  'modelField.caption_key': '説明文の項目',
  'modelField.longest_tau': '最長の時定数',
  'modelField.carry': '状態を文章に沿って引き継ぐ',
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
  'preset.custom': 'カスタム',
} satisfies { readonly [Key in keyof typeof enModel]: Translation<(typeof enModel)[Key]> };
