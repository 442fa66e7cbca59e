import { useStore } from 'zustand';
import { createLab, type Lab } from '../../lab/lab.ts';
import type { LabState } from '../../lab/lab-state.ts';
import type { LookingState } from '../../lab/looking.ts';
import { startEngine } from '../../lab/start-engine.ts';

let lab: Lab | undefined;

/**
 * The lab of this page: made when its screen is first seen and alive as long as the page, so that
 * training goes on while one looks at other screens.
 */
export function theLab(): Lab {
  lab ??= createLab(startEngine());
  return lab;
}

export function useLab<T>(selector: (state: LabState) => T): T {
  return useStore(theLab().store, selector);
}

export function useLooking<T>(selector: (state: LookingState) => T): T {
  return useStore(theLab().looking.store, selector);
}
