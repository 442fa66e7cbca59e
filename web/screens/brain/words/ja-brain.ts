import type { Translation } from '../../../i18n/message.ts';
import type { enBrain } from './en-brain.ts';

/** What the screen of the brain says in Japanese. Terms are those of the glossary. */
export const jaBrain = {
  'brain.lead': { other: '{count} 個のノードのうち {active} 個が稼働しています。' },
  'brain.asking': '分散ブレインのノードと、その間の経路を示します。',
  'none.title': 'ノードはまだありません',
  'none.help': 'ノードは自動で表示されます。PFC を起動してから、応答するモジュールを起動します。',
  'none.copy': 'コマンドをコピー',

  'status.active': '稼働中',
  'status.inactive': '停止中',
  'status.error': 'エラー',

  'graph.title': 'ノードと経路',
  'graph.nodes': 'ノード。矢印キーで選択します',
  'graph.node': '{node}、{status}、健全度 {health}、{region} の {type}',
  'graph.sentence': { other: '{count} 本の経路のうち {up} 本が利用できます。' },
  'graph.up': '利用可',
  'graph.fallback': '代替',
  'graph.down': '不通',
  'graph.lit': '質問が通った経路',
  'graph.nowhere': 'リージョンなし',

  'column.node': 'ノード',
  'column.type': '種類',
  'column.region': 'リージョン',
  'column.status': '状態',
  'column.health': '健全度',

  'node.close': '閉じる',
  'node.gone': 'このノードの情報はもうありません。',
  'node.host': 'ホスト',
  'node.seen': '最終確認',
  'node.phi': '疑わしさ (phi)',
  'node.cpu': 'プロセッサ使用率',
  'node.memory': 'メモリ使用率',
  'node.disk': 'ディスク使用率',
  'node.more': 'ノード自身の情報すべて',
  'node.health': '健全度の推移',

  'ask.title': 'ブレインに質問',
  'ask.note': 'PFC が適切なモジュールに渡し、通った経路が上の図で光ります。',
  'ask.text': '質問',
  'ask.do': '質問する',
  'ask.by': '{node} ({type}) が {ms} ms で応答しました。',
  'ask.class': '{label} ({share})',

  'routes.title': '最近の経路',
  'routes.none': '質問はまだありません。',
  'routes.took': '{from} → {to}',
  'routes.nobody': 'なし',
  'routes.ms': '{ms} ms',
  'column.when': '時刻',
  'column.way': '経路',
  'column.target': '宛先',
  'column.why': '理由',
  'column.took': '所要時間',
  'column.result': '結果',
  'result.answered': '応答あり',
  'result.refused': '拒否',
  'result.silent': '応答なし',
} as const satisfies { readonly [K in keyof typeof enBrain]: Translation<(typeof enBrain)[K]> };
