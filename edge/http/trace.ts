import { randomBytes } from './random.ts';
import { ulid } from './ulid.ts';

/** Correlates the log lines and responses of one request across services. */
export interface Trace {
  readonly requestId: string;
  /** 32 hex digits. */
  readonly traceId: string;
  /** The W3C traceparent to send on and to answer with; its span is this service's own. */
  readonly traceparent: string;
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
// Version 00 of the W3C recommendation; ids of zeros only are not valid.
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** Takes over the caller's ids where they are well formed and makes new ones where not. */
export function traceOf(headers: Headers): Trace {
  const asked = headers.get('x-request-id') ?? '';
  const requestId = REQUEST_ID.test(asked) ? asked : `req_${ulid()}`;
  const [, parent, flags = '00'] = TRACEPARENT.exec(headers.get('traceparent') ?? '') ?? [];
  const traceId = parent ?? randomHex(16);
  return { requestId, traceId, traceparent: `00-${traceId}-${randomHex(8)}-${flags}` };
}

export function writeTrace(headers: Headers, trace: Trace): void {
  headers.set('x-request-id', trace.requestId);
  headers.set('traceparent', trace.traceparent);
}

function randomHex(bytes: number): string {
  let hex = '';
  for (const byte of randomBytes(bytes)) hex += byte.toString(16).padStart(2, '0');
  return hex;
}
