import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';

/** The Chromium that the runner of the tests has unpacked. */
export function openChromium(): Promise<Browser> {
  const folder = process.env['SPIKEGRID_CHROMIUM'];
  if (!folder) throw new Error('SPIKEGRID_CHROMIUM is not set: run the tests with `npm test`');
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--no-sandbox'],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: `${join(folder, 'lib')}:${folder}`,
    },
  });
}
