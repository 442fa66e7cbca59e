import { callEndpoint, type Http, openHttp } from '../../edge/contract/client.ts';
import { gatewayEndpoints } from '../../edge/gateway/endpoints.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import type { ServiceRegistrationInput } from '../../edge/contract/service.ts';

interface RegistrationOptions {
  readonly gateway: string;
  /** With a key that may administer services. */
  readonly headers: Readonly<Record<string, string>>;
  readonly service: Omit<ServiceRegistrationInput, 'ttl_s' | 'instances'>;
}

export interface GatewayRegistration {
  /** Undefined while the gateway knows the service, else why not. */
  readonly fault: string | undefined;
  /** Takes the service off the gateway, unless another has taken its name. */
  leave(): Promise<void>;
}

/** One that was killed is gone from the gateway after this and twice more. */
const TTL_S = 30;
const RENEW_MS = 10_000;
const PATIENCE_MS = 5_000;

/**
 * Puts a service under its name at the gateway and keeps it there: also with a gateway that is not there
 * yet, or that forgot. Settles after the first try.
 */
export async function registerAtGateway(
  options: RegistrationOptions,
): Promise<GatewayRegistration> {
  const { gateway, headers, service } = options;
  const http = openHttp({ base: gateway, headers: { ...headers } });
  const body = { ...service, ttl_s: TTL_S };
  let etag: string | null = null;
  let fault: string | undefined = 'it has not answered yet';
  const renew = async () => {
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await callEndpoint(http, gatewayEndpoints.registerService, { body, signal });
      etag = answer.headers.get('etag');
      fault = undefined;
    } catch (error) {
      fault = faultOf(error);
    }
  };
  await renew();
  let under = Promise.resolve();
  const timer = setInterval(() => {
    under = under.then(renew);
  }, RENEW_MS);
  timer.unref();
  return {
    get fault() {
      return fault;
    },
    async leave() {
      clearInterval(timer);
      await under;
      if (fault === undefined) await remove(http, service.name, etag);
    },
  };
}

/** A gateway that is gone, or has it no more, needs to be told nothing. */
async function remove(http: Http, name: string, etag: string | null): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const headers = etag === null ? {} : { 'if-match': etag };
  await callEndpoint(http, gatewayEndpoints.deleteService, {
    params: { name },
    headers,
    signal,
  }).catch(() => {});
}

function faultOf(error: unknown): string {
  if (error instanceof ProblemError) return error.problem.detail;
  return error instanceof Error ? error.message : String(error);
}
