import { useQuery } from '@tanstack/react-query';
import { type Gpu, probeDevice } from '../../../api/device.ts';

/** What the browser has for computing; undefined until it has said so. */
export function useGpu(): Gpu | undefined {
  return useQuery({ queryKey: ['device'], queryFn: probeDevice }).data?.gpu;
}
