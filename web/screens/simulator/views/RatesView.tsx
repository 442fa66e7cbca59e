import { classNames } from '../../../ui/class-names.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import css from '../Simulator.module.css';
import { useSimulatorText } from '../simulator-text.ts';
import { theSimulator, useSimulator } from '../the-simulator.ts';

/** How often the neurons of each population fire, over the time that the raster shows. */
export function RatesView() {
  const { t, format } = useSimulatorText();
  const state = useSimulator((simulator) => simulator.state);
  const names = 'network' in state ? state.network.populations.map(({ name }) => name) : [];
  return (
    <div className={classNames(css['card'], css['low'])}>
      <XyPlot
        title={t('view.rates')}
        buffer={theSimulator().rates}
        names={names}
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
