/**
 * Pictures over a canvas or over SVG, without the rest of the engine: painters that the dashboard calls with every
 * frame, and functions that draw whole pictures of what networks do.
 */
export { type CurveOptions, drawCurves, type NamedCurves } from './pictures/draw-curves.ts';
export { drawMembranes, type MembraneOptions } from './pictures/draw-membranes.ts';
export { drawParallel } from './pictures/draw-parallel.ts';
export { drawRaster, type RasterOptions } from './pictures/draw-raster.ts';
export { drawRates, type RateOptions } from './pictures/draw-rates.ts';
export { drawWeights, type WeightOptions } from './pictures/draw-weights.ts';
export { drawLevels, type Level } from './pictures/levels.ts';
export { type CurveMark, paintCurves, scaledCurves } from './pictures/paint-curves.ts';
export {
  nearestLine,
  paintParallel,
  type ParallelAxis,
  parallelPlot,
  type ParallelValue,
} from './pictures/paint-parallel.ts';
export { GAP_FROM, lightRows, paintColumn } from './pictures/paint-raster.ts';
export { type Gaps, paintRows, rowScales } from './pictures/paint-series.ts';
export { paintTraces } from './pictures/paint-traces.ts';
export {
  checkSize,
  type PictureCanvas,
  type PictureOptions,
  type PictureTarget,
  svgPicture,
  type SvgOptions,
} from './pictures/picture.ts';
export { drawAxes, inside, type Plane, planeOf, ROOM } from './pictures/plane.ts';
export { plotRows, type PlotScale } from './pictures/plot-rows.ts';
export type { SeriesWindow } from './pictures/reduce.ts';
export { multiplesOf, roundStep } from './pictures/round-ticks.ts';
export {
  type Curve,
  type FixedRange,
  placeOf,
  type Scale,
  type Scales,
  scalesOf,
  valueAt,
} from './pictures/scale.ts';
export {
  type Context2d,
  type PictureTheme,
  SERIES_DASHES,
  type Surface,
} from './pictures/surface.ts';
export { thresholdOf, type Thresholds } from './pictures/trace-scale.ts';
export { binValues, edgesOf, type ValueBins } from './pictures/value-bins.ts';
