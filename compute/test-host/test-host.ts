import type { HealthCheck } from '../../edge/health/contract/health.ts';
import type { MetricInput } from '../../edge/monitoring/contract/metrics.ts';
import type { TestType } from '../../edge/test-runs/contract/test-run.ts';
import { TEST_HOST } from '../../edge/test-runs/endpoints.ts';
import { BaseService, type ServiceFacts } from '../service/base-service.ts';
import type { ServicePlace } from '../service/node-service.ts';
import { openRunHistory } from './run-history.ts';
import { TestScheduler, type TestSchedulerOptions } from './test-scheduler.ts';
import { type TestHostEnv, testRoutes } from './test-routes.ts';

/** As the platform's spec says. */
export const TIME_LIMIT_MS = 300_000;

/** One limit for every type, but for those that have one of their own. */
export const limitsOf = (
  everyMs: number,
  own: Partial<Record<TestType, number>> = {},
): Readonly<Record<TestType, number>> => ({
  unit: everyMs,
  integration: everyMs,
  all: everyMs,
  ...own,
});

export interface TestHostOptions
  extends ServicePlace, Omit<TestSchedulerOptions, 'history' | 'timeLimitsMs'> {
  /** Where its runs are kept. */
  readonly folder: string;
  readonly timeLimitsMs?: TestSchedulerOptions['timeLimitsMs'];
}

/** The service that runs this project's own tests. */
export class TestHost extends BaseService<TestHostEnv> {
  readonly facts: ServiceFacts = { name: TEST_HOST, described: 'test-host' };
  readonly #options: TestHostOptions;
  #scheduler: TestScheduler | undefined;

  constructor(options: TestHostOptions) {
    super(options);
    this.#options = options;
  }

  async initialize(): Promise<TestHostEnv> {
    const { folder, timeLimitsMs = limitsOf(TIME_LIMIT_MS), gateway, headers } = this.#options;
    const history = await openRunHistory(folder);
    this.#scheduler = new TestScheduler({ ...this.#options, timeLimitsMs, history });
    return { scheduler: this.#scheduler, gateway, headers };
  }

  async healthCheck(): Promise<HealthCheck> {
    return { status: 'ok', detail: this.#scheduler?.status().message ?? '' };
  }

  protected routes() {
    return testRoutes;
  }

  protected async release(): Promise<void> {
    await this.#scheduler?.stop();
  }

  protected override measure(): readonly MetricInput[] {
    const value = this.#scheduler?.status().status === 'running' ? 1 : 0;
    return [{ name: 'test_runs_under_way', type: 'gauge', value }];
  }
}
