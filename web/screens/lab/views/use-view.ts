import { useStore } from 'zustand';
import type { LayerView } from '../../../lab/live-data.ts';
import { pageLab, useLab } from '../lab-store.ts';

const NONE: readonly string[] = [];

/** The view on screen. */
interface Shown {
  /** The layer as it was last seen. */
  readonly view: LayerView | null;
  /** The tokens of the probe. */
  readonly probe: readonly string[];
  /** All that can be looked at. */
  readonly layers: readonly string[];
}

/** Renders again only when another layer is looked at. */
export function useView(): Shown {
  const view = useStore(pageLab().live.view, ({ current }) => current);
  const probe = useLab(({ run }) => ('run' in run ? run.run.probe : NONE));
  const layers = useLab(({ run }) => ('run' in run ? run.run.layers : NONE));
  return { view: probe.length > 0 ? view : null, probe, layers };
}
