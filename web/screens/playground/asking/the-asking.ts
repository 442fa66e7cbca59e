import { useStore } from 'zustand';
import { streamInfer } from '../../../api/inference.ts';
import { createAsking, type AskingState } from './asking.ts';

/** The questions of this page, alive as long as it is. */
export const theAsking = createAsking({ send: streamInfer, now: Date.now });

export function useAsking<T>(selector: (state: AskingState) => T): T {
  return useStore(theAsking.store, selector);
}
