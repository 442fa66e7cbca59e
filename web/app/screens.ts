import { lazy, type ComponentType } from 'react';
import type { Page } from '../../edge/gateway/contract/pages.ts';
import type { PlainKey } from '../i18n/text.ts';
import { Overview } from '../screens/overview/Overview.tsx';
import type { IconName } from '../ui/icons.ts';

/** The parts of the navigation, in its order. */
export const SECTIONS = ['observe', 'build', 'system'] as const;
export type Section = (typeof SECTIONS)[number];

export interface ScreenEntry {
  readonly path: Page;
  readonly component: ComponentType;
  /** Where the navigation lists it; screens reached from others have no place there. */
  readonly place?: {
    readonly section: Section;
    readonly title: PlainKey;
    readonly icon: IconName;
  };
}

// Each loads its own chunk on the way to it. The overview comes with the shell: most visits start there.
const Alerts = lazy(async () => ({
  default: (await import('../screens/alerts/Alerts.tsx')).Alerts,
}));
const Logs = lazy(async () => ({ default: (await import('../screens/logs/Logs.tsx')).Logs }));
const Brain = lazy(async () => ({ default: (await import('../screens/brain/Brain.tsx')).Brain }));
const BrainMetrics = lazy(async () => ({
  default: (await import('../screens/brain-metrics/BrainMetrics.tsx')).BrainMetrics,
}));
const Memory = lazy(async () => ({
  default: (await import('../screens/memory/Memory.tsx')).Memory,
}));
const Sensors = lazy(async () => ({
  default: (await import('../screens/sensors/Sensors.tsx')).Sensors,
}));
const TestRuns = lazy(async () => ({
  default: (await import('../screens/test-runs/TestRuns.tsx')).TestRuns,
}));
const Regions = lazy(async () => ({
  default: (await import('../screens/regions/Regions.tsx')).Regions,
}));
const Metrics = lazy(async () => ({
  default: (await import('../screens/metrics/Metrics.tsx')).Metrics,
}));
const Lab = lazy(async () => ({ default: (await import('../screens/lab/Lab.tsx')).Lab }));
const Neurons = lazy(async () => ({
  default: (await import('../screens/neurons/Neurons.tsx')).Neurons,
}));
const Simulator = lazy(async () => ({
  default: (await import('../screens/simulator/Simulator.tsx')).Simulator,
}));
const Plugins = lazy(async () => ({
  default: (await import('../screens/plugins/Plugins.tsx')).Plugins,
}));
const Jobs = lazy(async () => ({ default: (await import('../screens/jobs/Jobs.tsx')).Jobs }));
const Job = lazy(async () => ({ default: (await import('../screens/jobs/Job.tsx')).Job }));
const Trainers = lazy(async () => ({
  default: (await import('../screens/trainers/Trainers.tsx')).Trainers,
}));
const Models = lazy(async () => ({
  default: (await import('../screens/models/Models.tsx')).Models,
}));
const Model = lazy(async () => ({ default: (await import('../screens/models/Model.tsx')).Model }));
const Playground = lazy(async () => ({
  default: (await import('../screens/playground/Playground.tsx')).Playground,
}));
const Evaluate = lazy(async () => ({
  default: (await import('../screens/evaluate/Evaluate.tsx')).Evaluate,
}));
const Gateway = lazy(async () => ({
  default: (await import('../screens/gateway/Gateway.tsx')).Gateway,
}));
const Keys = lazy(async () => ({ default: (await import('../screens/keys/Keys.tsx')).Keys }));
const ApiDocs = lazy(async () => ({
  default: (await import('../screens/api-docs/ApiDocs.tsx')).ApiDocs,
}));
const Settings = lazy(async () => ({
  default: (await import('../screens/settings/Settings.tsx')).Settings,
}));

/** Every screen there is. A new one is one line here, one path in edge/gateway/contract/pages.ts, one title. */
export const SCREENS: readonly ScreenEntry[] = [
  {
    path: '/',
    component: Overview,
    place: { section: 'observe', title: 'screen.overview', icon: 'overview' },
  },
  {
    path: '/gateway',
    component: Gateway,
    place: { section: 'observe', title: 'screen.gateway', icon: 'gateway' },
  },
  {
    path: '/telemetry',
    component: Metrics,
    place: { section: 'observe', title: 'screen.metrics', icon: 'metrics' },
  },
  {
    path: '/alerts',
    component: Alerts,
    place: { section: 'observe', title: 'screen.alerts', icon: 'alerts' },
  },
  {
    path: '/logs',
    component: Logs,
    place: { section: 'observe', title: 'screen.logs', icon: 'logs' },
  },
  {
    path: '/brain',
    component: Brain,
    place: { section: 'observe', title: 'screen.brain', icon: 'brain' },
  },
  {
    path: '/brain/metrics',
    component: BrainMetrics,
    place: { section: 'observe', title: 'screen.brainMetrics', icon: 'plot' },
  },
  {
    path: '/memory',
    component: Memory,
    place: { section: 'observe', title: 'screen.memory', icon: 'memory' },
  },
  {
    path: '/sensors',
    component: Sensors,
    place: { section: 'observe', title: 'screen.sensors', icon: 'sensors' },
  },
  {
    path: '/regions',
    component: Regions,
    place: { section: 'observe', title: 'screen.regions', icon: 'globe' },
  },
  { path: '/lab', component: Lab, place: { section: 'build', title: 'screen.lab', icon: 'lab' } },
  {
    path: '/neurons',
    component: Neurons,
    place: { section: 'build', title: 'screen.neurons', icon: 'neuron' },
  },
  {
    path: '/simulator',
    component: Simulator,
    place: { section: 'build', title: 'screen.simulator', icon: 'network' },
  },
  {
    path: '/jobs',
    component: Jobs,
    place: { section: 'build', title: 'screen.jobs', icon: 'jobs' },
  },
  { path: '/jobs/:id', component: Job },
  {
    path: '/trainers',
    component: Trainers,
    place: { section: 'build', title: 'screen.trainers', icon: 'trainers' },
  },
  {
    path: '/models',
    component: Models,
    place: { section: 'build', title: 'screen.models', icon: 'models' },
  },
  { path: '/models/:id', component: Model },
  {
    path: '/playground',
    component: Playground,
    place: { section: 'build', title: 'screen.playground', icon: 'playground' },
  },
  {
    path: '/evaluate',
    component: Evaluate,
    place: { section: 'build', title: 'screen.evaluate', icon: 'evaluate' },
  },
  {
    path: '/plugins',
    component: Plugins,
    place: { section: 'system', title: 'screen.plugins', icon: 'plugins' },
  },
  {
    path: '/keys',
    component: Keys,
    place: { section: 'system', title: 'screen.keys', icon: 'key' },
  },
  {
    path: '/tests',
    component: TestRuns,
    place: { section: 'system', title: 'screen.testRuns', icon: 'tests' },
  },
  {
    path: '/docs',
    component: ApiDocs,
    place: { section: 'system', title: 'screen.docs', icon: 'docs' },
  },
  {
    path: '/settings',
    component: Settings,
    place: { section: 'system', title: 'screen.settings', icon: 'settings' },
  },
];
