import type { Address } from './url-state.ts';

/** wouter makes `pushState` and `replaceState` fire events of their names; `popstate` is the browser's. */
const CHANGES = ['popstate', 'pushState', 'replaceState'] as const;

/** The address bar. A hash and the history's state object survive a write. */
export const browserAddress: Address = {
  search: () => location.search,
  replaceSearch: (search) =>
    history.replaceState(history.state, '', `${location.pathname}${search}${location.hash}`),
  onChange(listener) {
    for (const change of CHANGES) window.addEventListener(change, listener);
    return () => {
      for (const change of CHANGES) window.removeEventListener(change, listener);
    };
  },
};
