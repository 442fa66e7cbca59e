import { parser } from '@prometheus-io/lezer-promql';

const strict = parser.configure({ strict: true });

/**
 * Reads a query by the grammar that Prometheus publishes.
 *
 * @throws SyntaxError where it is none
 */
export function parseQuery(query: string): void {
  strict.parse(query);
}
