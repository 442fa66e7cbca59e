import type { Access } from '../contract/scope.ts';
import { Problem } from './problem.ts';

const CHALLENGE = 'Bearer realm="spikegrid"';

/** Refusal without credentials (RFC 6750, section 3). */
export const noCredentials = (detail: string) =>
  new Problem('unauthenticated', detail, { headers: { 'www-authenticate': CHALLENGE } });

/** Credentials that do not hold. The reason goes into a header, so it is plain ASCII without quotes. */
export const badCredentials = (detail: string) =>
  new Problem('unauthenticated', detail, {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  });

export const missingScope = (access: Access) =>
  new Problem('forbidden', `This needs the scope ${access}, which the caller does not have.`, {
    headers: {
      'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${access}"`,
    },
  });
