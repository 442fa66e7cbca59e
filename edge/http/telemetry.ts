import { type MetricDescription, MetricRegistry } from '../monitoring/metric-registry.ts';
import type { Sample } from '../monitoring/sample.ts';
import type { Call, Context } from './call.ts';
import { longPollSeconds } from './long-poll.ts';

/** Where reports go. */
export interface MetricSink {
  record(samples: readonly Sample[]): Promise<unknown>;
}

/** How a service reports what it measures. */
export interface Reporting {
  readonly sink: () => MetricSink;
  /** How long measurements are collected before they are sent. */
  readonly everyMs: number;
}

const REQUESTS: MetricDescription = {
  name: 'http_requests_total',
  help: 'Requests by the class of their status; hung_up where the caller left before the answer.',
  unit: null,
};
const DURATION: MetricDescription = {
  name: 'http_request_duration_seconds',
  help: 'Time from a request to the head of its response, excluding the wait of a long poll.',
  unit: 'seconds',
};
const IN_FLIGHT: MetricDescription = {
  name: 'http_requests_in_flight',
  help: 'The most requests that one isolate was answering at once since it last reported.',
  unit: null,
};
const UPSTREAM_REQUESTS: MetricDescription = {
  name: 'gateway_upstream_requests_total',
  help: 'Requests the gateway sent to instances, by the class of their status, or error.',
  unit: null,
};
const UPSTREAM_DURATION: MetricDescription = {
  name: 'gateway_upstream_request_duration_seconds',
  help: 'Time until an instance began its answer.',
  unit: 'seconds',
};

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** Attempts per report: no later request may come that would send another. */
const ATTEMPTS = 4;

/** Metrics of one service in this isolate. */
class Telemetry {
  readonly #meters: MetricRegistry;
  #inFlight = 0;
  /** When the report on its way should have been sent; undefined where none is. */
  #dueAt: number | undefined;

  constructor(service: string) {
    this.#meters = new MetricRegistry(service);
  }

  begin(): void {
    this.#inFlight += 1;
    this.#meters.peak(IN_FLIGHT, {}, this.#inFlight);
  }

  end(method: string, { route, status, seconds }: Ended): void {
    this.#inFlight -= 1;
    const labels = { method: METHODS.has(method) ? method : 'other', route };
    this.#meters.count(REQUESTS, { ...labels, status: classOf(status) });
    if (status !== 'hung_up') this.#meters.observe(DURATION, labels, seconds);
  }

  upstream(upstream: string, status: number | 'error', seconds: number): void {
    this.#meters.count(UPSTREAM_REQUESTS, { upstream, status: classOf(status) });
    this.#meters.observe(UPSTREAM_DURATION, { upstream }, seconds);
  }

  totals(): readonly Sample[] {
    return this.#meters.totals();
  }

  /**
   * Sends a report after a while, once for all requests until then. A report whose request was
   * ended early never comes; another takes its place. One that Monitoring does not take is tried again.
   */
  report({ sink, everyMs }: Reporting, ctx: Pick<Context, 'waitUntil'>): void {
    const now = Date.now();
    if (this.#dueAt !== undefined && now < this.#dueAt + everyMs) return;
    this.#dueAt = now + everyMs;
    ctx.waitUntil(this.#send(sink, everyMs));
  }

  async #send(sink: Reporting['sink'], waitMs: number): Promise<void> {
    await pause(waitMs);
    this.#dueAt = undefined;
    for (let attempt = 1; !(await this.#sendNow(sink)) && attempt < ATTEMPTS; attempt++) {
      await pause(waitMs);
      // A request served meanwhile has started a report that includes these.
      if (this.#dueAt !== undefined) return;
    }
  }

  /** True if it arrived. */
  async #sendNow(sink: Reporting['sink']): Promise<boolean> {
    const samples = this.#meters.take();
    this.#meters.peak(IN_FLIGHT, {}, this.#inFlight);
    try {
      await sink().record(samples);
      return true;
    } catch (error) {
      // Kept for the next report, so a pause of Monitoring loses nothing.
      this.#meters.restore(samples);
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'telemetry_not_sent', text }));
      return false;
    }
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Ended {
  readonly route: string;
  readonly status: number | 'hung_up';
  readonly seconds: number;
}

const classOf = (status: number | 'error' | 'hung_up'): string =>
  typeof status === 'string' ? status : `${Math.floor(status / 100)}xx`;

const services = new Map<string, Telemetry>();

function telemetryOf(service: string): Telemetry {
  const known = services.get(service);
  if (known) return known;
  const fresh = new Telemetry(service);
  services.set(service, fresh);
  return fresh;
}

const routes = new WeakMap<Request, string>();

/** Says which route a request took, such as `/models/:id`: what a request is counted under. */
export function noteRoute(request: Request, route: string): void {
  routes.set(request, route);
}

/**
 * Counts a request and its time while `answer` makes its answer. Where the caller hangs up before
 * that, nothing of the request may run any more, so it is counted as over at once.
 */
export async function measured(
  service: string,
  { request, responseHeaders }: Pick<Call<unknown>, 'request' | 'responseHeaders'>,
  answer: () => Promise<Response>,
): Promise<Response> {
  const telemetry = telemetryOf(service);
  const started = performance.now();
  let isOver = false;
  const end = (status: number | 'hung_up', held = 0) => {
    if (isOver) return;
    isOver = true;
    const route = routes.get(request) ?? 'none';
    const seconds = Math.max(0, (performance.now() - started) / 1000 - held);
    telemetry.end(request.method, { route, status, seconds });
  };
  const hangUp = () => end('hung_up');
  telemetry.begin();
  request.signal.addEventListener('abort', hangUp);
  try {
    const answered = await answer();
    // Time spent in long polls, here or in the service behind.
    end(answered.status, longPollSeconds(responseHeaders) + longPollSeconds(answered.headers));
    return answered;
  } finally {
    request.signal.removeEventListener('abort', hangUp);
    end(500);
  }
}

/** Sees to it that what a service measured is sent before long. */
export function reportSoon(
  service: string,
  reporting: Reporting,
  ctx: Pick<Context, 'waitUntil'>,
): void {
  telemetryOf(service).report(reporting, ctx);
}

/** Metrics of a service since this process or isolate started. */
export const measuredSoFar = (service: string): readonly Sample[] => telemetryOf(service).totals();

/** Counts one try of the gateway to have an instance of a service answer. */
export function countUpstream(upstream: string, status: number | 'error', seconds: number): void {
  telemetryOf('gateway').upstream(upstream, status, seconds);
}
