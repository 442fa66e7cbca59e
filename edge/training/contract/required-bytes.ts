/** Numbers of a plan that a driver rounds up: alignment, pages, its own tables. */
const MARGIN = 0.05;
/** Fraction of a device left to other processes. */
const RESERVE_SHARE = 0.05;
const MIN_RESERVE_BYTES = 512 * 2 ** 20;

/** Bytes that must be free on a device for a run that plans to use `plannedBytes` of it. */
export function requiredBytesOn(plannedBytes: number, totalBytes: number | null): number {
  return plannedBytes + marginOf(plannedBytes) + reserveOn(totalBytes);
}

export const marginOf = (plannedBytes: number) => Math.ceil(plannedBytes * MARGIN);

/** Of a device whose size is unknown, the least. */
export const reserveOn = (totalBytes: number | null) =>
  Math.max(MIN_RESERVE_BYTES, Math.ceil((totalBytes ?? 0) * RESERVE_SHARE));
