/** A file and where it lies below what was dropped or chosen, with forward slashes. */
export interface PlacedFile {
  readonly path: string;
  readonly file: File;
}

/** The dropped files, with all files of dropped folders and their subfolders. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<readonly PlacedFile[]> {
  // Entries have to be taken before anything is waited for: the browser empties the list then.
  const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter(
    (entry) => entry !== null,
  );
  if (entries.length === 0) return chosenFiles(files);
  return (await Promise.all(entries.map(filesBelow))).flat();
}

/** The files chosen in the browser's own dialog: files, or a folder with all its contents. */
export function chosenFiles(files: Iterable<File> | null): readonly PlacedFile[] {
  return Array.from(files ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function filesBelow(entry: FileSystemEntry): Promise<readonly PlacedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    // A reader gives some entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    found.push(...some);
  }
  return (await Promise.all(found.map(filesBelow))).flat();
}

/** Common name of some files: the file, their folder, or the first one and the number of others. */
export function nameOfFiles(files: readonly PlacedFile[]): string {
  const [first, ...others] = files;
  if (!first) return '';
  if (others.length === 0) return first.file.name;
  const folder = first.path.slice(0, first.path.indexOf('/') + 1);
  const isFolder = folder !== '' && others.every(({ path }) => path.startsWith(folder));
  return isFolder ? folder.slice(0, -1) : `${first.file.name} +${others.length}`;
}

export function sizeOfFiles(files: readonly PlacedFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0);
}
