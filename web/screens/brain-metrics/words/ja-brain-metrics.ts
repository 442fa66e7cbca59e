/** The words of the brain metrics screen in Japanese. */
export const jaBrainMetrics = {
  'brain.lead':
    '分散ブレインのログを受信しているクライアントと、届かなかったメッセージを示します。',
  'values.title': '現在の値',
  'values.note': 'ログの利用開始からの累計です。5 秒ごとに取得します。',
  connected_clients: '接続中のクライアント',
  broadcast_drops: '遅いクライアントで破棄した件数',
  persist_drops: '保存・共有できなかった件数',
  send_timeouts: '応答がなく切断した回数',
  last_update: '最終更新',
  'graphs.clients': '接続中のクライアントの推移',
  'graphs.growth': '5 秒ごとの欠落数',
} as const;
