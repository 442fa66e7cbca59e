/** Japanese texts of the test run screen. Terms are those of the glossary. */
export const jaTestRuns = {
  'lead.running': 'テストを実行中です。',
  'lead.idle': 'ここではまだテストが実行されていません。',
  'lead.last': '実行中のテストはありません。前回の結果: {outcome}。',
  'lead.off': 'ここではテストの実行が無効になっています。',
  'lead.asking': 'このプロジェクト自身のテストを、プラットフォームのマシンで実行します。',

  'off.title': 'テストの実行は無効です',
  'off.help':
    'テストはプラットフォームのマシンでプログラムを動かすため、そこで許可する必要があります。次のように起動してください。',
  'off.copy': 'コマンドをコピー',
  'off.scope':
    '実行するにはスコープ test:run が必要です。別のマシンから実行するときは admin も必要です。',

  'start.title': 'テストを実行',
  'start.note':
    '同時に実行できるのは 1 件、1 時間に 6 回までです。制限時間を超えると、すべてのプロセスとともに終了します。',
  'start.type': 'テストの種類',
  'start.do': '実行',
  'start.busy': '実行中…',
  'start.keys': 'キーと監査',
  'start.scope':
    'このマシンからでも、実行にはスコープ test:run のあるキーが必要です。プラットフォームの最初のキー（状態フォルダーの bootstrap-key）がこのスコープを持ち、同じスコープのキーを作成できます。そのキーでここにサインインしてください。',
  'start.said': 'テストを開始しました。',
  'type.unit': '単体',
  'type.integration': '統合',
  'type.all': 'すべて',
  'about.unit': 'エンジンとダッシュボードの単体テスト。',
  'about.integration': 'クラッシュを含む、複数のプロセスにまたがるテスト。',
  'about.all':
    'すべてのテスト: エンジンとページ、エッジ、Node、ブラウザーでのページを順に実行します。',
  'limit.fresh': '{limit} 秒で打ち切ります。ここではまだ実行されていません。',
  'limit.took': '{limit} 秒で打ち切ります。前回は {took} 秒かかりました。',
  'limit.tight':
    '{limit} 秒で打ち切ります。前回は {took} 秒かかったため、間に合わない可能性があります。それまでの結果は数えます。',
  'limit.late':
    '{limit} 秒で打ち切ります。前回も打ち切られたため、間に合わない見込みです。それまでの結果は数えます。',
  'limit.more': '制限時間を延ばすには、次のように起動してください。',

  'status.running': '実行中',
  'status.passed': '合格',
  'status.failed': '不合格',
  'status.timeout': '時間切れ',

  'runs.title': '最近の実行',
  'runs.none': 'まだありません。実行すると、出力とともにここに残ります。',
  'runs.open': '{time}の実行',
  'column.run': '実行',
  'column.type': 'テスト',
  'column.status': '状態',
  'column.passed': '合格',
  'column.failed': '不合格',
  'column.skipped': '省略',
  'column.took': '所要時間',
  'column.by': '開始した人',
  'runs.seconds': '{s} 秒',

  'run.title': '実行 {id}',
  'run.close': 'この実行を閉じる',
  'run.code': '終了コード',
  'run.started': '開始',
  'run.message': '結果',
  'by.anonymous': '匿名',
  'by.local': 'このマシン',
  'by.key': 'キー {id}',
  'by.token': 'トークン {id}',
  'by.session': 'サインイン中のキー {id}',

  'output.title': '実行の出力',
  'output.none': 'まだ出力はありません。',
  'output.empty': '出力はありませんでした。',
  'output.cut': '出力が保存の上限を超えたため、最初の部分は表示されません。',
  'output.end': 'ここには末尾だけを表示しています。保存された出力はファイルにすべて含まれます。',
  'output.follow': '追従',
  'output.download': 'ダウンロード',
  'link.connecting': '接続中',
  'link.live': 'ライブ',
  'link.lost': '再接続中',
  'link.over': '終了',
  'link.refused': '利用不可',
} as const;
