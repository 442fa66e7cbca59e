export { answerHealth, type Check, healthRoutes } from '../http/health.ts';
