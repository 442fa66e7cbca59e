import { useStore } from 'zustand';
import { createSimulator, type Simulator, type SimulatorState } from '../../simulator/simulator.ts';
import { startSimulator } from '../../simulator/start-simulator.ts';

let simulator: Simulator | undefined;

/** The simulator of this page: its worker starts when the screen is first seen. */
export function pageSimulator(): Simulator {
  simulator ??= createSimulator(startSimulator());
  return simulator;
}

export function useSimulator<T>(selector: (state: SimulatorState) => T): T {
  return useStore(pageSimulator().store, selector);
}
