import { Presets, SingleBar } from 'cli-progress';

/** How far a file has come, for a person at a terminal; it goes once the file is there. */
export function createUploadBar(filename: string) {
  const bar = new SingleBar(
    {
      format: `${filename} {bar} {percentage} %  {eta_formatted} left`,
      clearOnComplete: true,
      stopOnComplete: true,
      // A pipe gets no bar.
      noTTYOutput: false,
    },
    Presets.rect,
  );
  return {
    advance(sent: number, total: number) {
      if (bar.isActive) bar.update(sent);
      else if (sent < total) bar.start(total, sent);
    },
    stop: () => bar.stop(),
  };
}
