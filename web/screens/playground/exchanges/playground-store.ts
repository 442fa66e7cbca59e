import { useStore } from 'zustand';
import { streamInfer } from '../../../api/inference.ts';
import { createExchanges, type ExchangesState } from './exchanges.ts';

/** Exchanges of this page, alive as long as the page. */
export const pageExchanges = createExchanges({ send: streamInfer, now: Date.now });

export function useExchanges<T>(selector: (state: ExchangesState) => T): T {
  return useStore(pageExchanges.store, selector);
}
