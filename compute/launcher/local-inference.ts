import { setTimeout as sleep } from 'node:timers/promises';
import type { BootstrapKey } from './bootstrap-key.ts';
import { type LocalProcess, startLocalProcess, type Watch } from './local-process.ts';

interface LocalInferenceOptions {
  readonly root: string;
  readonly gateway: string;
  readonly address: URL;
  readonly auth: 'local' | 'required';
  readonly key: BootstrapKey | undefined;
  readonly watch: Watch;
}

/** How long answers under way may take: a little longer than the server itself gives them. */
const PATIENCE_MS = 12_000;
/** How long its start is waited for, and how often one looks. */
const START_MS = 15_000;
const LOOK_MS = 100;
const LOOK_LIMIT_MS = 2_000;

/**
 * Where a server of this machine beside the Worker listens. The gateway has to reach it over loopback,
 * where it is known by its place; who is elsewhere asks the gateway.
 */
export function loopbackAddress(host: string, port: number): URL {
  return new URL(`http://${host === '::1' ? '[::1]' : '127.0.0.1'}:${port}`);
}

/** The host of an address as it is listened on. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Starts the inference server of this machine: models of the registry answer here. Settles once it
 * answers, so that the gateway's first look finds it; the platform runs without it, too.
 */
export async function startLocalInference(options: LocalInferenceOptions): Promise<LocalProcess> {
  const { root, gateway, address, auth, key, watch } = options;
  const args = ['serve', '--gateway', gateway, '--host', hostOf(address), '--port', address.port];
  const started = startLocalProcess({
    root,
    name: 'inference',
    args: [...args, '--auth', auth],
    key,
    patienceMs: PATIENCE_MS,
    watch,
  });
  const latest = Date.now() + START_MS;
  const isRunning = () => started.state().status === 'running';
  while (isRunning() && Date.now() < latest && !(await answers(address))) await sleep(LOOK_MS);
  return started;
}

const answers = (address: URL) =>
  fetch(new URL('/health/live', address), { signal: AbortSignal.timeout(LOOK_LIMIT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
