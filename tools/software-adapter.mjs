// Chromium and SwiftShader, a Vulkan driver that runs on the CPU, arrive inside an npm package as
// compressed files. This unpacks them, and says with which variables a process finds them. Plain
// JavaScript, as tools/run.mjs imports it before any other Node than the system's may be there.
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
const packed = join(modules, '@sparticuz/chromium');

/** @typedef {{ driver: string | undefined; browser: string | undefined }} Unpacked folders; undefined where the platform has none */

/**
 * Unpacks what is asked for, once per version of the package; a later call finds it there.
 * @param {{ browser: boolean }} want
 * @returns {Promise<Unpacked>}
 */
export async function unpackSoftwareAdapter(want) {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(packed)) {
    return { driver: undefined, browser: undefined };
  }
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8'));
  const cache = join(modules, '.cache', `chromium-${version}`);
  const driver = await once(join(cache, 'driver'), ['swiftshader.tar.br']);
  if (!want.browser) return { driver, browser: undefined };
  const browser = await once(join(cache, 'browser'), [
    'swiftshader.tar.br',
    'al2023.tar.br',
    'fonts.tar.br',
    'chromium.br',
  ]);
  writeFontSettings(browser);
  return { driver, browser };
}

/**
 * Pages are set in the typeface that comes along, and in no other: a machine without any shows no
 * text, and on every other the layout would differ.
 * @param {string} browser
 */
function writeFontSettings(browser) {
  const folder = `<dir>${join(browser, 'fonts')}</dir>`;
  const cache = `<cachedir>${join(browser, 'fonts-cache')}</cachedir>`;
  const head = '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  const text = `${head}\n<fontconfig>${folder}${cache}</fontconfig>\n`;
  const file = fontSettings(browser);
  if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

/** @param {string} browser */
function fontSettings(browser) {
  return join(browser, 'fonts.conf');
}

/**
 * The environment in which Dawn finds a Vulkan loader and, after the machine's own drivers, SwiftShader.
 * Tests see SwiftShader alone, so that they are the same everywhere; SPIKEGRID_TEST_ADAPTER=system
 * lets them run on what the machine has.
 * @param {NodeJS.ProcessEnv} env @param {Unpacked} unpacked
 * @returns {NodeJS.ProcessEnv}
 */
export function softwareAdapterEnv(env, { driver, browser }) {
  if (!driver) return env;
  const isAlone = browser !== undefined && env['SPIKEGRID_TEST_ADAPTER'] !== 'system';
  const folders = [env['LD_LIBRARY_PATH'], hasVulkanLoader() ? undefined : driver];
  return {
    ...env,
    LD_LIBRARY_PATH: folders.filter(Boolean).join(delimiter),
    [isAlone ? 'VK_DRIVER_FILES' : 'VK_ADD_DRIVER_FILES']: join(driver, 'vk_swiftshader_icd.json'),
    ...(browser && { SPIKEGRID_CHROMIUM: browser }),
    // The picture of the README is taken with what the machine has, Japanese among it.
    ...(browser &&
      env['SPIKEGRID_SCREENSHOT'] !== '1' && { FONTCONFIG_FILE: fontSettings(browser) }),
  };
}

/** The machine's own loader is the better one where there is a GPU. */
function hasVulkanLoader() {
  const folders = ['/usr/lib/x86_64-linux-gnu', '/lib/x86_64-linux-gnu', '/usr/lib64', '/usr/lib'];
  return folders.some((folder) => existsSync(join(folder, 'libvulkan.so.1')));
}

/**
 * Unpacks into a folder beside the target and renames it, so that a run cut off leaves nothing half-done.
 * @param {string} target @param {readonly string[]} files
 */
async function once(target, files) {
  if (existsSync(target)) return target;
  mkdirSync(join(target, '..'), { recursive: true });
  const partial = mkdtempSync(`${target}-`);
  for (const file of files) {
    const plain = join(partial, file.replace(/\.br$/, ''));
    const source = createReadStream(join(packed, 'bin', file));
    await pipeline(source, createBrotliDecompress(), createWriteStream(plain));
    if (plain.endsWith('.tar')) {
      execFileSync('tar', ['-xf', plain, '-C', partial, '--no-same-owner']);
      rmSync(plain);
    } else chmodSync(plain, 0o755);
  }
  chmodSync(partial, 0o755);
  try {
    renameSync(partial, target);
  } catch (error) {
    // Another process was faster: what it unpacked is the same.
    rmSync(partial, { recursive: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}
