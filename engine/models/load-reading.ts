import { folderOf } from './families.ts';
import type { FamilyModules, FamilyReading } from './family.ts';

/** Loads the inference of a family. */
export async function loadReading(architecture: string): Promise<FamilyReading> {
  const folder = folderOf(architecture);
  const { reading }: FamilyModules['reading'] = await import(`./${folder}/reading.ts`);
  return reading;
}
