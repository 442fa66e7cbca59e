import type { Translation } from '../../../i18n/message.ts';
import type { enTrainers } from './en-trainers.ts';

/** What the screen of trainers says in Japanese. Terms are those of the glossary. */
export const jaTrainers = {
  'trainers.lead':
    'ジョブを学習するマシンとブラウザーのタブです。自分から仕事を取りに来るため、ファイアウォールの内側にあっても構いません。',
  'trainers.list': 'トレーナー',
  'trainers.none': 'トレーナーがまだありません',
  'trainers.noneHelp':
    '現れるまでジョブは待機します。上のコマンドをマシンで実行するか、このタブを貸し出してください。',
  'trainers.name': 'トレーナー',
  'trainers.status': '状態',
  'trainers.device': 'デバイス',
  'trainers.memory': '空きメモリー',
  'trainers.freeOf': '{total} 中 {free}',
  'trainers.load': '負荷',
  'trainers.jobs': '学習中',
  'trainers.done': 'ジョブ',
  'trainers.doneOf': '完了 {succeeded}、失敗 {failed}',
  'trainers.seen': '最終確認',
  'trainers.actions': '操作',
  'kind.node': 'マシン',
  'kind.tab': 'ブラウザータブ',
  'status.idle': '待機中',
  'status.busy': '学習中',
  'status.draining': '受付停止中',
  'status.lost': '応答なし',

  'drain.do': '受付を停止',
  'drain.of': '{name} の受付を停止',
  'drain.end': '受付を再開',
  'drain.endOf': '{name} の受付を再開',
  'drain.begun': '{name} は新しいジョブを受け付けません',
  'drain.ended': '{name} はジョブの受付を再開しました',

  'start.title': 'マシンを貸し出す',
  'start.note':
    'spikegrid のチェックアウトで実行します。データセットは data フォルダーの下に置きます。ゲートウェイがキーを求める場合は、{scopes} のスコープを持つキーを SPIKEGRID_KEY に設定してください。',
  'start.copy': 'コマンドをコピー',

  'lend.title': 'このタブ',
  'lend.note':
    'タブもマシンと同じように、GPU または CPU で学習します。ほかの画面やほかのタブを見ている間も続きます。',
  'lend.toggle': 'このタブを貸し出す',
  'lend.off': 'このタブはほかの人のための学習をしていません。',
  'lend.connecting': '接続中',
  'lend.connectingHelp': 'このタブがあることをプラットフォームに伝えています。',
  'lend.idle': '待機中',
  'lend.idleHelp': '合うジョブを待っています。',
  'lend.training': '学習中',
  'lend.trainingHelp': 'オフにすると、チェックポイントを残してジョブを返します。',
  'lend.stopping': '停止処理中',
  'lend.stoppingHelp':
    'ほかのトレーナーが続きから学習できるように、チェックポイントを書き込んでいます。',
  'lend.stopped': '停止',
  'lend.stoppedHelp': 'このタブはもうトレーナーではありません。',
  'lend.progress': 'ステップ {step}、{share}',
  'lend.loss': '損失 {loss}',
  'phase.validating': '準備中',
  'phase.running': '学習中',
  'phase.ending': '終了処理中',
} satisfies { readonly [Key in keyof typeof enTrainers]: Translation<(typeof enTrainers)[Key]> };
