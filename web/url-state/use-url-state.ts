import { useState, useSyncExternalStore } from 'react';
import { browserAddress } from './browser-address.ts';
import type { Values } from './fields.ts';
import { createUrlState } from './url-state.ts';

/**
 * The values of `fields` in the page's query string, and a function that changes some of them.
 * @param fields declared once, outside of the component
 */
export function useUrlState<F extends object>(
  fields: F,
): readonly [values: Values<F>, set: (change: Partial<Values<F>>) => void] {
  const [state] = useState(() => createUrlState(fields, browserAddress));
  return [useSyncExternalStore(state.subscribe, state.get), state.set];
}
