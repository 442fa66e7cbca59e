/** The same with more runs. */
import './openapi-nodes.test.ts';
