import type { Translation } from '../../../i18n/message.ts';
import type { enLogs } from './en-logs.ts';

/** What the log screen says in Japanese. Terms are those of the glossary. */
export const jaLogs = {
  'logs.lead': '分散ブレインのノードと各サービスのログを、届いた順に表示します。',

  'bar.region': '表示内容',
  'bar.level': 'レベル',
  'bar.source': '発信元',
  'bar.node': 'ノードの種類',
  'bar.names': '複数の場合はカンマで区切ります。',
  'bar.find': '検索',
  'bar.mode': '検索方法',
  'bar.text': 'テキスト',
  'bar.regex': '正規表現',
  'bar.wrong': '正規表現として正しくありません。',
  'level.all': 'すべて',
  'level.debug': 'debug 以上',
  'level.info': 'info 以上',
  'level.warn': 'warn 以上',
  'level.error': 'error 以上',
  'level.critical': 'critical',

  'state.connecting': '接続中',
  'state.live': 'ライブ',
  'state.lost': '再接続中',
  'state.closed': '終了',
  'tools.lines': { other: '{count} 行' },
  'tools.hits': { other: '{total} 行中 {count} 件' },
  'tools.follow': '最新を追う',
  'tools.download': 'ダウンロード',

  'list.label': 'ログの行。矢印キーで選択します',
  'list.gap': { other: '{count} 件が届きませんでした。番号 {from}～{to}' },
  'list.hole': '欠けている可能性があります。番号 {from}～{to}',

  'detail.title': 'ログの行',
  'detail.copy': 'JSON でコピー',
  'detail.close': '閉じる',
  'detail.level': 'レベル',
  'detail.time': '時刻',
  'detail.source': '発信元',
  'detail.node': 'ノードの種類',
  'detail.event': 'イベント',
  'detail.trace': 'トレース',
  'detail.seq': '番号',
  'detail.id': 'ID',
  'detail.data': 'データ',

  'none.title': 'ログはまだありません',
  'none.help': '何かが記録されると、すぐにここに表示されます。コマンドからも記録できます。',
  'none.copy': 'コマンドをコピー',
  'none.found': '一致する行がありません',
  'none.foundHelp': '新しい行も届きしだい検索します。',
} as const satisfies { readonly [K in keyof typeof enLogs]: Translation<(typeof enLogs)[K]> };
