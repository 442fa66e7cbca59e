import { equations } from '../kernel-language/written-kernel.ts';
import { ACCUMULATE, kernelsOf } from './table.ts';

const POOLING = {
  /** Channels of all images of all time steps. */
  planes: 'int',
  taps: 'int',
  height: 'int',
  width: 'int',
  outHeight: 'int',
  outWidth: 'int',
  kernelWidth: 'int',
  strideY: 'int',
  strideX: 'int',
  paddingY: 'int',
  paddingX: 'int',
} as const;

const SHAPES = {
  input: 'f32[planes, height, width]',
  output: 'f32[planes, outHeight, outWidth]',
  place: 'u32[planes, outHeight, outWidth]',
  gradient: 'f32[planes, outHeight, outWidth]',
  target: 'f32[planes, height, width]',
} as const;

/** Below every number that float32 has: windows lie on the image at least in part. */
const MIN_VALUE = -3.4e38;

/** Maxima over windows. Made when a program first calls them: no part of a build. */
export const poolingKernels = kernelsOf('pooling', {
  /** `place` is the first tap that has the maximum. */
  max_pool_forward: {
    operands: { input: 'read', output: 'write', place: 'write' },
    attributes: POOLING,
    write: equations({
      over: { plane: 'planes', row: 'outHeight', tap: 'taps', column: 'outWidth' },
      scan: 'tap',
      shapes: SHAPES,
      equations: `
        state most = ${MIN_VALUE}
        state best = 0
        y = row * strideY + tap / kernelWidth - paddingY
        x = column * strideX + tap % kernelWidth - paddingX
        isInside = y >= 0 && y < height && x >= 0 && x < width
        seen = input[plane, max(0, min(y, height - 1)), max(0, min(x, width - 1))]
        value = isInside ? seen : ${MIN_VALUE}
        best = value > most ? f32(tap) : best
        most = max(most, value)
        after
        output = most
        place = u32(best)`,
    }),
  },
  /** Each element gathers the gradients of the windows whose maximum it is. Vectors have no whole division. */
  max_pool_backward: {
    operands: { gradient: 'read', place: 'read', target: 'update' },
    attributes: { ...POOLING, ...ACCUMULATE },
    write: equations(({ accumulate }) => ({
      over: { plane: 'planes', row: 'height', tap: 'taps', column: 'width' },
      scan: 'tap',
      shapes: SHAPES,
      equations: `
        state sum = ${accumulate === true ? 'target' : '0'}
        y = row + paddingY - tap / kernelWidth
        x = column + paddingX - tap % kernelWidth
        line = y / strideY
        at = i32(floor(f32(x) / f32(strideX)))
        isFit = y >= 0 && x >= 0 && line * strideY == y && at * strideX == x
        isInside = isFit && line < outHeight && at < outWidth
        outRow = max(0, min(line, outHeight - 1))
        outColumn = max(0, min(at, outWidth - 1))
        isMost = isInside && i32(place[plane, outRow, outColumn]) == tap
        sum = sum + (isMost ? gradient[plane, outRow, outColumn] : 0)
        after
        target = sum`,
    })),
  },
});
