/** Draws a picture: on a canvas of its own in a page, in a file in Node; `node main.js png` writes PNG. */
export async function show(name, draw) {
  if (globalThis.document) {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 });
    canvas.id = name;
    draw(document.body.appendChild(canvas));
  } else {
    const entry = 'spikegrid/node'; // by name, so that bundlers of pages leave it alone
    const { savePicture } = await import(entry);
    await savePicture(`${name}.${process.argv[2] ?? 'svg'}`, draw);
  }
}
