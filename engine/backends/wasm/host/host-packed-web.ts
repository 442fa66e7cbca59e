import plainOwn from '../build/whole-plain-own.wasm?url';
import plainShared from '../build/whole-plain-shared.wasm?url';
import relaxedOwn from '../build/whole-relaxed-own.wasm?url';
import relaxedShared from '../build/whole-relaxed-shared.wasm?url';
import type { Build, Host } from './host.ts';
import { compileFrom, host as web } from './host-web.ts';

const builds: Readonly<Record<Build, string>> = {
  'relaxed-shared': relaxedShared,
  'relaxed-own': relaxedOwn,
  'plain-shared': plainShared,
  'plain-own': plainOwn,
};

let isSaid = false;

/** The browser, from the package: few programs need more than the first build. Says once why there is one thread. */
export const host: Host = {
  ...web,
  compile(build) {
    if (!web.canShare && !isSaid) {
      isSaid = true;
      console.info(
        'spikegrid computes on one thread: this page is not isolated from other origins. Threads need the headers ' +
          'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.',
      );
    }
    return web.compile(build);
  },
  compileWhole: (build) => compileFrom(builds[build]),
};
