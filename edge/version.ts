export { VERSION } from './http/version.ts';
