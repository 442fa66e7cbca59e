import { useStore } from 'zustand';
import type { LayerView } from '../../../lab/live-data.ts';
import { theLab, useLab } from '../the-lab.ts';

const NO_CHARACTERS: readonly string[] = [];

/** The layer as it was last seen, and what it read. Renders again only when another layer is looked at. */
export function useView(): { readonly view: LayerView | null; readonly probe: readonly string[] } {
  const view = useStore(theLab().live.view, ({ current }) => current);
  const probe = useLab(({ run }) => ('run' in run ? run.run.probe : NO_CHARACTERS));
  return { view: probe.length > 0 ? view : null, probe };
}
