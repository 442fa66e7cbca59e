/**
 * Pictures of networks and of their training, on a canvas of a page or as SVG: rasters, membranes and rates of what
 * `model.observe` returns, weights of a model, curves of what `fit` returns. `spikegrid/node` writes them to files.
 */
export {
  type Context2d,
  type CurveOptions,
  drawCurves,
  drawMembranes,
  drawRaster,
  drawRates,
  drawWeights,
  type MembraneOptions,
  type NamedCurves,
  type PictureCanvas,
  type PictureOptions,
  type PictureTarget,
  type PictureTheme,
  type RasterOptions,
  type RateOptions,
  svgPicture,
  type SvgOptions,
  type WeightOptions,
} from '../engine/pictures.ts';
