const LOWEST: f32 = -3.4e38;

export function largestOf(from: usize, width: i32): f32 {
  let most = f32x4.splat(LOWEST);
  let left = width;
  for (; left >= 4; left -= 4, from += 16) most = f32x4.max(most, v128.load(from));
  let largest = max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
  for (; left > 0; left--, from += 4) largest = max(largest, load<f32>(from));
  return largest;
}
