import { useStore } from 'zustand';
import { createLab, type Lab } from '../../lab/lab.ts';
import type { LabState } from '../../lab/lab-state.ts';
import type { ObservationState } from '../../lab/observation.ts';
import { startEngine } from '../../lab/start-engine.ts';

let lab: Lab | undefined;

/**
 * The lab of this page: made when its screen is first seen and alive as long as the page, so that
 * training continues while another screen is open.
 */
export function pageLab(): Lab {
  lab ??= createLab(startEngine());
  return lab;
}

export function useLab<T>(selector: (state: LabState) => T): T {
  return useStore(pageLab().store, selector);
}

export function useObservation<T>(selector: (state: ObservationState) => T): T {
  return useStore(pageLab().observation.store, selector);
}
