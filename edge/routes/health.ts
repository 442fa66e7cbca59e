export { type Check, healthRoutes } from '../http/health.ts';
