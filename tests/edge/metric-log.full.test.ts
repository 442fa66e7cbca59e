/** The same with more runs. */
import './metric-log.test.ts';
