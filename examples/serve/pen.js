/** White lines where the pointer is pressed; the canvas and the output are those of the page. */
const pen = document.querySelector('#canvas').getContext('2d', { willReadFrequently: true });
Object.assign(pen, { strokeStyle: 'white', lineWidth: 24, lineCap: 'round', lineJoin: 'round' });
pen.canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
  pen.beginPath();
  pen.moveTo(offsetX, offsetY);
});
pen.canvas.addEventListener('pointermove', ({ buttons, offsetX, offsetY }) => {
  if (buttons === 0) return;
  pen.lineTo(offsetX, offsetY);
  pen.stroke();
});
pen.canvas.addEventListener('dblclick', () => pen.clearRect(0, 0, 280, 280));

/** Says which shape a prediction has found. */
globalThis.show = function show({ classes }) {
  document.querySelector('#output').value = ['bar', 'pole', 'cross', 'ring'][classes[0]];
};
