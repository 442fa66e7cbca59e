/** The same with more runs. */
import './metric-log.test.ts';
import './property.test.ts';
