import type { Message } from '../../../i18n/message.ts';
import type { enDiagnosis } from './en-diagnosis.ts';

/** Japanese texts of the diagnosis. */
export const jaDiagnosis: { readonly [K in keyof typeof enDiagnosis]: Message } = {
  'diagnosis.title': '診断',
  'diagnosis.note': '学習が進まない原因と、その根拠となる数値を表示します。',
  'diagnosis.diagnose': '診断する',
  'diagnosis.none': '診断できる実行はまだありません',
  'diagnosis.noneHelp': '学習を進めると、検証のたびに結果がここに表示されます。',
  'diagnosis.well': 'ステップ {step} の時点で、既知の問題は見つかりませんでした。',
  'diagnosis.at': 'ステップ {step} の時点。',
  'diagnosis.failed': '診断できません: {reason}',
  'diagnosis.start': '学習率 {rate} で新しい実行を開始',
  'diagnosis.fromCheckpoint':
    '最後の良好なチェックポイントの重みから新しい実行を開始します。この実行の値は変わりません。',
  'diagnosis.fromNew':
    '現在の重みは何も学習していないため、新しい重みで実行を開始します。この実行の値は変わりません。',
  'diagnosis.noRemedy':
    '設定では解決できません。入力とラベルの順序が一致しているか確認してください。',
  'diagnosis.parent': 'この実行は、学習率 {rate} の実行 (ステップ {step}) から作成されました。',
  'diagnosis.evidence': '{figure}: {value}',
  'diagnosis.least': '(正常: {limit} 以上)',
  'diagnosis.most': '(正常: {limit} 以下)',
  'diagnosis.gradients': '層ごとの勾配ノルム',
  'diagnosis.layer': '層',
  'diagnosis.gradient': 'ノルム',

  'cause.input-scale': '入力のスケールが最初の層に合っていません',
  'cause.silent': 'この層以降のニューロンが発火していません: {layer}',
  'cause.saturated': 'ほぼすべてのステップでニューロンが発火しています: {layer}',
  'cause.surrogate-out-of-reach': '膜電位が代理勾配の範囲外にあり、勾配が伝わりません: {layer}',
  'cause.exploding': '時間ステップをさかのぼるにつれて勾配が爆発しています: {layer}',
  'cause.rate-too-high': '学習率が高すぎます',
  'cause.rate-too-low': '学習率が低すぎます',
  'cause.labels-shuffled': 'ラベルが入力と対応していません',

  'figure.rate': 'ニューロンと時間ステップあたりのスパイク数',
  'figure.dead': '一度も発火しないニューロンの割合',
  'figure.saturated': '95 % を超えるステップで発火するニューロンの割合',
  'figure.input-size': '入力の二乗平均平方根',
  'figure.membrane-distance': '膜電位としきい値の距離 (代理勾配の幅を単位とする)',
  'figure.slope': '代理勾配の平均の傾き (しきい値での傾きに対する比)',
  'figure.growth': '1 ステップさかのぼるごとの勾配の増加率',
  'figure.weight-size': '重みの大きさ (初期値に対する比)',
  'figure.step-size': '1 回の更新量 (初期の重みに対する比)',
  'figure.travelled': '更新量の合計 (初期の重みに対する比)',
  'figure.first-loss': '開始時の損失',
  'figure.last-loss': '終了時の損失',
  'figure.simple-accuracy': '最近傍のサンプルによる正解率',
  'figure.accuracy': 'ネットワークの正解率',
};
