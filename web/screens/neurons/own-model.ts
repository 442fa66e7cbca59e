import { createStore } from 'zustand/vanilla';
import { openSandbox, type Sandbox } from '../../neuron-lab/sandbox.ts';
import type { ModelFacts, NeuronRunner } from '../../neuron-lab/protocol.ts';

interface OwnModelState {
  readonly facts: ModelFacts | null;
  readonly runner: NeuronRunner | null;
}

/** The model that was opened from a file: it lives as long as the page, and nowhere else. */
export const ownModel = createStore<OwnModelState>(() => ({ facts: null, runner: null }));

let sandbox: Sandbox | undefined;

/** Runs somebody's code in a sandbox and keeps its model. Throws where it is none. */
export async function openOwnModel(code: string): Promise<void> {
  sandbox?.close();
  sandbox = openSandbox();
  const facts = await sandbox.load(code);
  ownModel.setState({ facts, runner: sandbox.runner });
}
