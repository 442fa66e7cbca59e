import { jaModel } from '../../../model-form/ja-model.ts';
import type { Translation } from '../../../i18n/message.ts';
import type { enNewJob } from './en-new-job.ts';

/** What the form for a new job says in Japanese. Terms are those of the glossary. */
export const jaNewJob = {
  ...jaModel,
  'new.title': '新しい学習ジョブ',
  'new.dataset': 'データセット',
  'new.source': 'データセットの取得元',
  'new.model': 'モデル',
  'new.run': '学習',
  'new.cancel': 'キャンセル',
  'new.submit': 'ジョブを投入',
  'new.submitting': '投入中',
  'new.submitted': '{job} を待ち行列に入れました',
  'new.noDataset': '先にデータセットを選んでください。',
  'new.noDatasets':
    'プラットフォームにはまだデータセットがありません。ファイルを選ぶとすぐにアップロードします。',
  'new.heads': 'ヘッド数 {heads} では幅 {width} を割り切れません。',
  'new.structureOfBase': '構造、語彙、トークナイザーはベースモデルと同じです。',
  'new.controls': '引き継いだ最適化の設定: {controls}',

  'source.platform': 'プラットフォーム',
  'source.upload': 'アップロード',
  'source.path': 'トレーナー上',

  'upload.file': 'ファイル',
  'upload.fileHint':
    'テキスト、各行に "text" を持つ JSON Lines、または画像・音声・説明文の zip アーカイブ',
  'upload.empty': 'ファイルが空です。',
  'upload.name': 'プラットフォームでの名前',
  'upload.badName': 'A-Z a-z 0-9 . _ - の 1 から 128 文字で、最初は英数字にしてください。',
  'upload.start': 'アップロード',
  'upload.reading': 'ファイルを読み込んでいます…',
  'upload.sent': '{total} 中 {sent}',
  'upload.progress': '{name} のアップロード',
  'upload.pause': 'アップロードを一時停止',
  'upload.resume': 'アップロードを再開',
  'upload.drop': 'アップロードを中止',

  'field.dataset': 'プラットフォームのデータセット',
  'field.datasetSize': '{name}、{size}',
  'field.choose': '選択',
  'field.path': 'トレーナーのデータフォルダーからのパス',
  'field.pathHint':
    '例: corpora/moby-dick.txt。このファイルを持つトレーナーだけがジョブを実行します。',
  'field.model': '結果のモデル ID',
  'field.modelHint': '空欄の場合はカテゴリと時刻から付けます',
  'field.setDefault': '既定のバージョンにする',
  'field.base': 'ベースモデル',
  'field.baseHint': 'レジストリの ID、ID@バージョン、ID@エイリアス。空欄なら最初から学習',
  'field.seed': 'シード',
  'field.budget': '学習量',
  'field.unit': '単位',
  'field.replicas': 'レプリカ数',
  'field.replicasHint': '一緒に学習するトレーナーの数',
  'field.local_steps': 'ラウンド間のステップ数',
  'field.priority': '優先度',
  'field.priorityHint': '0 から 100。大きいほど先',
  'field.device': 'デバイス',
  'field.profile': '収束プロファイル',
  'device.any': '指定なし',
  'device.gpu': 'GPU のみ',
  'device.cpu': 'CPU のみ',
  'unit.steps': 'ステップ',
  'unit.epochs': 'エポック',
  'unit.minutes': '分',
  'profile.auto': '自動',
  'profile.autoHelp': '省略した値は、このモデル系統での測定結果から選びます。',
  'profile.stable_baseline': '安定 (基準)',
  'profile.stable_baselineHelp':
    '通常のウォームアップ、上限、減衰です。省略した系列長は 64、学習率は 0.0001 になります。',
  'profile.stable_plus': '安定 (強化)',
  'profile.stable_plusHelp':
    'ウォームアップを 2 倍の長さにし、勾配の上限を半分にし、報酬を抑え、スパイクを緩和します。',
  'profile.stable_converge': '安定 (収束重視)',
  'profile.stable_convergeHelp':
    '「安定 (強化)」からスパイクの緩和、エネルギーゲート、報酬適応を除きます。',
  'profile.aggressive_convergence': '積極的な収束',
  'profile.aggressive_convergenceHelp':
    '短いウォームアップの後、全体の 5 分の 4 まで学習率を下げず、勾配の上限を 2 倍にします。速い代わりに不安定になりやすくなります。',

  'capacity.title': '容量',
  'capacity.later':
    'データセットを選ぶと、ジョブに必要なものと実行できるトレーナーがここに表示されます。',
  'capacity.asking': 'トレーナーに問い合わせています…',
  'capacity.fits': '学習できます',
  'capacity.waits': '待機します',
  'capacity.tooLarge': '大きすぎます',
  'capacity.needs': '必要なメモリーは {size} です。',
  'capacity.taker': '{name} ({device})',
  'capacity.takers': { other: '実行できるトレーナーは {count} 件です: {names}。' },
  'capacity.nobody': '接続中のトレーナーがありません。接続されるまでジョブは待機します。',
  'capacity.excluded': '{name}: {why}',
} satisfies { readonly [Key in keyof typeof enNewJob]: Translation<(typeof enNewJob)[Key]> };
