import { spawn } from 'node:child_process';

/** Shows an address in the person's browser where there is one; where not, nothing happens. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const command = commandFor(process.platform, env);
  if (!command) return;
  const [file, ...args] = command;
  const opener = spawn(file, [...args, url], { detached: true, stdio: 'ignore' });
  opener.on('error', () => {});
  opener.unref();
}

function commandFor(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
}
