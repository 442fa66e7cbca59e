import { lazy, type ComponentType } from 'react';
import type { Page } from '../../edge/gateway/contract/pages.ts';
import type { Language } from '../i18n/language.ts';
import type { IconName } from '../ui/icons.ts';

/** The parts of the navigation, in its order. */
export const SECTIONS = ['observe', 'build', 'system'] as const;
export type Section = (typeof SECTIONS)[number];

/** The title of a screen in each language. */
type ScreenTitle = Readonly<Record<Language, string>>;

/** A screen in the navigation, or one without a title that is reached from others and names itself. */
interface ScreenRow {
  readonly path: Page;
  readonly title?: ScreenTitle;
  readonly section?: Section;
  readonly icon?: IconName;
  /** Loads the screen's own chunk. */
  readonly load: () => Promise<ComponentType>;
}

/** Every screen, in the order of the navigation. A new one is a row here and a path in edge/gateway/contract/pages.ts. */
const ROWS: readonly ScreenRow[] = [
  {
    path: '/',
    title: { en: 'Overview', ja: '概要' },
    section: 'observe',
    icon: 'overview',
    load: async () => (await import('../screens/overview/Overview.tsx')).Overview,
  },
  {
    path: '/gateway',
    title: { en: 'Gateway', ja: 'ゲートウェイ' },
    section: 'observe',
    icon: 'gateway',
    load: async () => (await import('../screens/gateway/Gateway.tsx')).Gateway,
  },
  {
    path: '/telemetry',
    title: { en: 'Metrics', ja: 'メトリクス' },
    section: 'observe',
    icon: 'plot',
    load: async () => (await import('../screens/metrics/Metrics.tsx')).Metrics,
  },
  {
    path: '/alerts',
    title: { en: 'Alerts', ja: 'アラート' },
    section: 'observe',
    icon: 'alerts',
    load: async () => (await import('../screens/alerts/Alerts.tsx')).Alerts,
  },
  {
    path: '/logs',
    title: { en: 'Logs', ja: 'ログ' },
    section: 'observe',
    icon: 'logs',
    load: async () => (await import('../screens/logs/Logs.tsx')).Logs,
  },
  {
    path: '/brain',
    title: { en: 'Brain', ja: 'ブレイン' },
    section: 'observe',
    icon: 'brain',
    load: async () => (await import('../screens/brain/Brain.tsx')).Brain,
  },
  {
    path: '/brain/metrics',
    title: { en: 'Brain metrics', ja: 'ブレインの指標' },
    section: 'observe',
    icon: 'plot',
    load: async () => (await import('../screens/brain-metrics/BrainMetrics.tsx')).BrainMetrics,
  },
  {
    path: '/memory',
    title: { en: 'Memory', ja: '記憶' },
    section: 'observe',
    icon: 'memory',
    load: async () => (await import('../screens/memory/Memory.tsx')).Memory,
  },
  {
    path: '/sensors',
    title: { en: 'Sensors', ja: 'センサー' },
    section: 'observe',
    icon: 'sensors',
    load: async () => (await import('../screens/sensors/Sensors.tsx')).Sensors,
  },
  {
    path: '/regions',
    title: { en: 'Regions', ja: 'リージョン' },
    section: 'observe',
    icon: 'globe',
    load: async () => (await import('../screens/regions/Regions.tsx')).Regions,
  },
  {
    path: '/lab',
    title: { en: 'Training lab', ja: 'トレーニングラボ' },
    section: 'build',
    icon: 'lab',
    load: async () => (await import('../screens/lab/Lab.tsx')).Lab,
  },
  {
    path: '/neurons',
    title: { en: 'Neuron lab', ja: 'ニューロンラボ' },
    section: 'build',
    icon: 'neuron',
    load: async () => (await import('../screens/neurons/Neurons.tsx')).Neurons,
  },
  {
    path: '/simulator',
    title: { en: 'Simulator', ja: 'シミュレーター' },
    section: 'build',
    icon: 'network',
    load: async () => (await import('../screens/simulator/Simulator.tsx')).Simulator,
  },
  {
    path: '/jobs',
    title: { en: 'Jobs', ja: 'ジョブ' },
    section: 'build',
    icon: 'jobs',
    load: async () => (await import('../screens/jobs/Jobs.tsx')).Jobs,
  },
  { path: '/jobs/:id', load: async () => (await import('../screens/jobs/Job.tsx')).Job },
  {
    path: '/sweeps',
    title: { en: 'Sweeps', ja: 'スイープ' },
    section: 'build',
    icon: 'table',
    load: async () => (await import('../screens/sweeps/Sweeps.tsx')).Sweeps,
  },
  {
    path: '/trainers',
    title: { en: 'Trainers', ja: 'トレーナー' },
    section: 'build',
    icon: 'trainers',
    load: async () => (await import('../screens/trainers/Trainers.tsx')).Trainers,
  },
  {
    path: '/models',
    title: { en: 'Models', ja: 'モデル' },
    section: 'build',
    icon: 'models',
    load: async () => (await import('../screens/models/Models.tsx')).Models,
  },
  { path: '/models/:id', load: async () => (await import('../screens/models/Model.tsx')).Model },
  {
    path: '/playground',
    title: { en: 'Playground', ja: 'プレイグラウンド' },
    section: 'build',
    icon: 'playground',
    load: async () => (await import('../screens/playground/Playground.tsx')).Playground,
  },
  {
    path: '/evaluate',
    title: { en: 'Evaluate', ja: '評価' },
    section: 'build',
    icon: 'evaluate',
    load: async () => (await import('../screens/evaluate/Evaluate.tsx')).Evaluate,
  },
  {
    path: '/plugins',
    title: { en: 'Plugins', ja: 'プラグイン' },
    section: 'system',
    icon: 'plugins',
    load: async () => (await import('../screens/plugins/Plugins.tsx')).Plugins,
  },
  {
    path: '/keys',
    title: { en: 'Keys and audit', ja: 'キーと監査' },
    section: 'system',
    icon: 'key',
    load: async () => (await import('../screens/keys/Keys.tsx')).Keys,
  },
  {
    path: '/tests',
    title: { en: 'Test runs', ja: 'テスト実行' },
    section: 'system',
    icon: 'tests',
    load: async () => (await import('../screens/test-runs/TestRuns.tsx')).TestRuns,
  },
  {
    path: '/docs',
    title: { en: 'API', ja: 'API' },
    section: 'system',
    icon: 'docs',
    load: async () => (await import('../screens/api-docs/ApiDocs.tsx')).ApiDocs,
  },
  {
    path: '/settings',
    title: { en: 'Settings', ja: '設定' },
    section: 'system',
    icon: 'settings',
    load: async () => (await import('../screens/settings/Settings.tsx')).Settings,
  },
];

interface ScreenEntry extends ScreenRow {
  readonly component: ComponentType;
}

export const SCREENS: readonly ScreenEntry[] = ROWS.map((row) => ({
  ...row,
  component: lazy(async () => ({ default: await row.load() })),
}));
