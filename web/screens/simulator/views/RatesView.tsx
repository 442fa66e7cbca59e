import type { RasterLayout } from '../../../simulator/raster-layout.ts';
import { classNames } from '../../../ui/class-names.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import bench from '../../../ui/Workbench.module.css';
import css from '../Simulator.module.css';
import { useSimulatorText } from '../simulator-text.ts';
import { pageSimulator } from '../simulator-store.ts';

/** How often the neurons of each population fire, over the time that the raster shows. */
export function RatesView({ layout }: { readonly layout: RasterLayout }) {
  const { t, format } = useSimulatorText();
  return (
    <div className={classNames(bench['card'], css['low'])}>
      <XyPlot
        title={t('view.rates')}
        buffer={pageSimulator().rates}
        names={layout.populations.map(({ name }) => name)}
        x={{
          label: t('view.time'),
          write: (value) => t('view.ms', { value: format.number(value) }),
        }}
        y={{
          label: t('view.rate'),
          write: (value) => t('view.hertz', { value: format.number(value) }),
        }}
      />
    </div>
  );
}
