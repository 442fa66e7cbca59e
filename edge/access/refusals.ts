export { badCredentials, missingScope, noCredentials } from '../http/refusals.ts';
