import type { FamilyPlan } from '../../families/family.ts';
import { planMemory } from '../../train/plan-programs.ts';
import { checkSettings, chronospikeSettings, structureOf } from '../../train/settings.ts';
import { defaultEnergySettings } from './energy.ts';
import { chronospikeMemory } from './sizes.ts';

export const chronospikePlan: FamilyPlan = {
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  check: (settings) => checkSettings(chronospikeSettings(settings)),
  plan(asked, rules, { vocabulary = 256 }) {
    const settings = chronospikeSettings(asked);
    checkSettings(settings);
    const { batch, sequence, carry = false } = settings;
    const structure = structureOf(settings, vocabulary);
    const { energy = defaultEnergySettings } = settings;
    const run = { structure, shape: { batch, sequence }, rules, energy, carry };
    return planMemory(chronospikeMemory(run));
  },
};
