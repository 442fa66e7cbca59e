import type { en } from './en.ts';
import { jaProblems } from './ja-problems.ts';
import type { Translation } from './message.ts';

/** Every sentence of the dashboard in Japanese. Terms are those of glossary.ts. */
export const ja = {
  ...jaProblems,

  'shell.documentTitle': '{screen} · spikegrid',
  'shell.home': 'spikegrid、概要へ',
  'shell.skip': '本文へ移動',
  'shell.navigation': 'メインナビゲーション',
  'shell.menu': 'メニュー',
  'shell.language': '言語',
  'shell.theme': 'テーマ',
  'shell.loading': '画面を読み込んでいます',
  'shell.signOut': 'サインアウト',

  'section.observe': '状況',
  'section.build': '開発',
  'section.system': 'システム',

  'screen.failed': '画面を表示できません',
  'screen.notFound': 'ページがありません',

  'theme.system': 'システムに合わせる',
  'theme.light': 'ライト',
  'theme.dark': 'ダーク',

  'connection.label': 'ゲートウェイ',
  'connection.connecting': '接続中',
  'connection.live': '接続済み',
  'connection.reconnecting': '再接続中',
  'connection.offline': 'オフライン',
  'connection.retryIn': { other: '{count} 秒後に再試行' },
  'connection.saidLive': 'ゲートウェイは応答しています。',
  'connection.saidReconnecting': 'ゲートウェイが応答しません。再試行しています。',
  'connection.saidOffline': 'ゲートウェイに接続できません。',

  'ui.cancel': 'キャンセル',
  'ui.close': '閉じる',
  'ui.copy': 'コピー',
  'ui.delete': '削除',
  'ui.copied': 'コピーしました',
  'ui.copyFailed': 'ブラウザーがコピーを許可しませんでした。',
  'ui.dismiss': 'このメッセージを閉じる',
  'ui.messages': 'メッセージ',
  'ui.retry': '再試行',
  'ui.table': '表: {table}',
  'ui.trace': 'トレース {id}',
  'ui.loading': '読み込み中',
  'ui.none': 'なし',

  'field.integerExpected': '{min} から {max} までの整数を入力してください。',
  'field.numberExpected': '{min} から {max} までの数値を入力してください。',

  'uptime.days': '{days} 日 {hours} 時間',
  'uptime.hours': '{hours} 時間 {minutes} 分',
  'uptime.minutes': '{minutes} 分 {seconds} 秒',
  'uptime.seconds': '{seconds} 秒',

  'service.name': 'サービス',
  'service.status': '状態',
  'service.version': 'バージョン',
  'service.instances': 'インスタンス',
  'service.lastCheck': '最終確認',
  'service.never': '未確認',
  'service.passing': '正常',
  'service.warning': '警告',
  'service.critical': '重大',
  'service.unknown': '不明',

  'layer.in1': 'ブロック {block}: アテンションの入力',
  'layer.qkv': 'ブロック {block}: クエリ、キー、バリュー',
  'layer.attention': 'ブロック {block}: アテンション',
  'layer.in2': 'ブロック {block}: フィードフォワードの入力',
  'layer.up': 'ブロック {block}: フィードフォワード',
  'layer.neurons': 'ブロック {block}',
  'layer.hidden': '隠れ層',
  'layer.image.in': '画像のパッチ',
  'layer.audio.in': '音声のフレーム',

  'overview.events': '最新のイベント',
  'device.unnamed': '名称は公開されていません',
  'notFound.lead': '{path} に画面はありません。',
  'notFound.back': '概要へ',
} satisfies { readonly [Key in keyof typeof en]: Translation<(typeof en)[Key]> };
