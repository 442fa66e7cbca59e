import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Suites } from '../../compute/test-host/suites.ts';
import { limitsOf, TestHost, type TestHostOptions } from '../../compute/test-host/test-host.ts';
import type { Scope } from '../../edge/contract/scope.ts';
import { send, startGuardedEdge } from './keys-in-hand.ts';

/** A suite of one part. */
export const shell = (script: string) =>
  [{ name: 'script', argv: ['/bin/sh', '-c', script] }] as const;

/** Hosts of tests in folders of their own. */
export interface Hosts {
  /** Scripts in place of this project's suites: `all` goes on until `letGo`. */
  readonly suites: Suites;
  letGo(): void;
  at(gateway: URL, options?: Partial<TestHostOptions>): TestHost;
  remove(): void;
}

export function createHosts(): Hosts {
  const root = mkdtempSync(join(tmpdir(), 'spikegrid-test-runs-'));
  const go = join(root, 'go');
  const suites: Suites = {
    unit: shell("echo '3 passed, 0 failed, 1 skipped'"),
    integration: shell("echo oh >&2; echo '2 passed, 1 failed, 0 skipped'; exit 1"),
    all: shell(
      `echo begun; while [ ! -e ${go} ]; do sleep 0.05; done; echo '1 passed, 0 failed, 0 skipped'`,
    ),
  };
  return {
    suites,
    letGo: () => writeFileSync(go, ''),
    at: (gateway, options = {}) =>
      new TestHost({
        gateway: gateway.origin,
        headers: {},
        host: '127.0.0.1',
        port: 0,
        auth: 'local',
        isEnabled: true,
        suites,
        root,
        folder: mkdtempSync(join(root, 'runs-')),
        timeLimitsMs: limitsOf(60_000),
        ...options,
      }),
    remove: () => rmSync(root, { recursive: true }),
  };
}

export const LOOPBACK = { TARGET_ALLOWLIST: ['127.0.0.1'] };

/** An edge for this machine alone with a host of tests. */
export interface HostedEdge extends AsyncDisposable {
  readonly gateway: URL;
  /** Where the host itself answers. */
  readonly direct: string;
  keyFor(scopes: readonly Scope[]): Promise<string>;
}

export async function startHostedEdge(hosts: Hosts): Promise<HostedEdge> {
  const edge = await startGuardedEdge({ vars: { ...LOOPBACK, AUTH_MODE: 'local' } });
  const host = hosts.at(edge.gateway);
  await host.start();
  return {
    gateway: edge.gateway,
    direct: `http://127.0.0.1:${host.port}`,
    keyFor: async (scopes) => (await edge.keyFor(scopes)).key,
    async [Symbol.asyncDispose]() {
      await host.stop(0);
      await edge[Symbol.asyncDispose]();
    },
  };
}

export const runTests = (base: URL | string, type: string, key?: string, headers = {}) =>
  send(new URL(`/test/run-tests?test_type=${type}`, base), { key, method: 'POST', headers });
