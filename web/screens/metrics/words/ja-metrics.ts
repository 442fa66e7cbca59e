import type { Translation } from '../../../i18n/message.ts';
import type { enMetrics } from './en-metrics.ts';

export const jaMetrics = {
  'metrics.lead': '各サービスの測定値です。リクエスト量、失敗の割合、所要時間を示します。',
  'bar.region': '表示条件',
  'bar.service': 'サービス',
  'bar.range': '期間',
  'bar.custom': '指定',
  'bar.from': '開始',
  'bar.to': '終了',
  'bar.badTime': '終了より前の時刻を入力してください。',
  'bar.step': 'ステップ',
  'bar.auto': '自動',
  'bar.live': 'ライブ',
  'bar.updated': '{time} まで',

  'red.title': 'リクエスト、エラー、所要時間',
  'red.note': 'サービス {service} の全ルートの合計です。カーソルは連動します。',
  'red.rate': 'リクエスト量',
  'red.rateUnit': '{value}/秒',
  'red.requests': 'リクエスト',
  'red.errors': 'エラー',
  'red.server': '5xx サーバーエラー',
  'red.client': '4xx クライアントエラー',
  'red.duration': '所要時間',

  'metric.title': '個別のメトリクス',
  'metric.note': '選んだメトリクスを系列ごとに表示します。',
  'metric.name': 'メトリクス',
  'metric.agg': '集計',
  'metric.missing': '{service} にはメトリクス {metric} がありません。上で選んでください',
  'metric.choose': 'メトリクスを選択',
  'metric.more': '{total} 系列のうち、値の大きい {shown} 系列を描いています。',
  'metric.kind': '{type}、{help}',

  'none.help':
    'プラットフォームは、最初のリクエストを受けるとすぐに自分を測定します。ほかのプログラムからは次のコマンドで送れます。',
  'none.copy': 'コマンドをコピー',
  'none.service': '{service} の測定値は届いていません',
} as const satisfies { readonly [K in keyof typeof enMetrics]: Translation<(typeof enMetrics)[K]> };
