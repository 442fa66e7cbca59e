import type { Translation } from '../../../i18n/message.ts';
import type { enOverview } from './en-overview.ts';

export const jaOverview = {
  'overview.allPassing': { other: '{count} 件のサービスはすべて正常です。' },
  'overview.somePassing': {
    other: '{count} 件のサービスのうち {passing} 件が正常です。{failing} を確認してください。',
  },
  'overview.noServices': '登録されたサービスはありません。',
  'overview.asking': 'ゲートウェイの状態を確認しています…',
  'overview.unreachable': 'ゲートウェイに接続できないため、サービスの状態は不明です。',
  'overview.readouts': '現在の値',
  'overview.passing': '正常なサービス',
  'overview.passingOf': '{passing} / {total}',
  'overview.modelCount': '登録済みモデル',
  'overview.uptime': 'ゲートウェイ稼働時間',
  'overview.gatewayVersion': 'ゲートウェイのバージョン',
  'overview.services': 'サービス',
  'overview.checked': '{ago}に確認',
  'overview.processDown': '{name} が停止しています（{exit}）。{seconds} 秒後に再起動します。',
  'overview.processDownNow': '{name} が停止しています（{exit}）。再起動しています。',
  'process.title': 'このプラットフォームのプロセス',
  'process.note': 'ランチャーがこのマシンで実行しているプロセスです。終了すると再起動されます。',
  'process.name': 'プロセス',
  'process.running': '実行中',
  'process.down': '停止',
  'process.downFor': '停止（{seconds} 秒後に再起動）',
  'process.restarts': '再起動回数',
  'process.lastExit': '最後の終了',
  'overview.openLab': 'トレーニングラボを開く',

  'neuron.title': 'ニューロン 1 個',
  'neuron.note':
    'このタブで計算している漏れ積分発火型ニューロンです。ステップごとに膜電位の一部を保ち、入力電流を加え、閾値を超えるとスパイクを出します。',
  'neuron.potential': '膜電位',
  'neuron.current': '入力電流',
  'neuron.tau': '時定数',
  'neuron.tauValue': '{tau} ms',
  'neuron.play': '実行',
  'neuron.pause': '一時停止',
} satisfies { readonly [Key in keyof typeof enOverview]: Translation<(typeof enOverview)[Key]> };
