const programs = [
  ['classifier', 'A classifier', '分類器'],
  ['convolution', 'Convolution', '畳み込み'],
  ['memory', 'Time matters', '時間がものを言う課題'],
  ['own-neuron', 'A neuron of your own', '自作のニューロン'],
  ['own-loop', 'Your own loss and loop', '自作の損失と学習ループ'],
  ['look-inside', 'Look inside', '内部を見る'],
  ['local-learning', 'Local learning', '局所学習'],
  ['nir', 'Import, check, export: NIR', 'NIR の読み書きと検証'],
  ['text', 'Text', 'テキスト'],
  ['serve', 'Serve and embed', '公開と埋め込み'],
];

const numbered = (folder, column) =>
  programs.map((row, at) => ({ text: `${at + 1}. ${row[column]}`, link: `${folder}${row[0]}` }));

/** Navigation of the English pages. */
export const english = (entries) => ({
  nav: [
    { text: 'Quickstart', link: '/quickstart' },
    { text: 'Ten programs', link: '/programs/classifier' },
    { text: 'Reference', link: '/reference/' },
    { text: 'Platform', link: '/guide' },
  ],
  sidebar: [
    {
      text: 'The library',
      items: [
        { text: 'Quickstart', link: '/quickstart' },
        { text: 'From snnTorch', link: '/from-snntorch' },
      ],
    },
    { text: 'Ten programs', items: numbered('/programs/', 1) },
    {
      text: 'Reference',
      collapsed: true,
      items: [
        { text: 'All names', link: '/reference/' },
        ...entries.map(({ entry, page }) => ({ text: entry, link: `/reference/${page}` })),
      ],
    },
    {
      text: 'The platform',
      items: [
        { text: 'Guide', link: '/guide' },
        { text: 'Write a plugin', link: '/tutorials/write-a-plugin' },
        { text: 'Deploy', link: '/deploy' },
        { text: 'Measured figures', link: '/bars' },
      ],
    },
    {
      text: 'How it works',
      collapsed: true,
      items: [
        { text: 'The layer floor', link: '/design/layers' },
        { text: 'The engine', link: '/design/engine' },
        { text: 'Kernels as equations', link: '/design/kernel-language' },
        { text: 'Neurons as text', link: '/design/neurons' },
        { text: 'Data formats', link: '/design/data-formats' },
        { text: 'NIR', link: '/design/nir' },
        { text: 'Training', link: '/design/training' },
        { text: 'Simulator', link: '/design/simulator' },
        { text: 'Plasticity', link: '/design/plasticity' },
        { text: 'Model families', link: '/design/families' },
        { text: 'Environment variables', link: '/design/environment' },
        { text: 'This guide', link: '/design/guide' },
      ],
    },
  ],
  docFooter: { prev: 'Previous', next: 'Next' },
});

/** Navigation of the Japanese pages; the reference and the platform's guide are in English. */
export const japanese = (entries) => ({
  nav: [
    { text: 'クイックスタート', link: '/ja/quickstart' },
    { text: '10 のプログラム', link: '/ja/programs/classifier' },
    { text: 'リファレンス', link: '/reference/' },
  ],
  sidebar: [
    { text: 'ライブラリ', items: [{ text: 'クイックスタート', link: '/ja/quickstart' }] },
    { text: '10 のプログラム', items: numbered('/ja/programs/', 2) },
    {
      text: 'プラットフォーム',
      items: [{ text: 'プラグインを書く', link: '/ja/tutorials/write-a-plugin' }],
    },
    {
      text: '英語のページ',
      collapsed: true,
      items: [
        { text: 'snnTorch からの移行', link: '/from-snntorch' },
        { text: 'プラットフォームの使い方', link: '/guide' },
        ...entries.map(({ entry, page }) => ({ text: entry, link: `/reference/${page}` })),
      ],
    },
  ],
  outline: { level: [2, 3], label: 'このページの内容' },
  docFooter: { prev: '前へ', next: '次へ' },
  darkModeSwitchLabel: '外観',
  lightModeSwitchTitle: 'ライトモードにする',
  darkModeSwitchTitle: 'ダークモードにする',
  sidebarMenuLabel: 'メニュー',
  returnToTopLabel: 'ページの先頭へ',
  langMenuLabel: '言語',
  skipToContentLabel: '本文へ移動',
  notFound: {
    title: 'ページが見つかりません',
    quote: 'このアドレスにページはありません。',
    linkLabel: 'ホームへ',
    linkText: 'ホームへ',
  },
});
