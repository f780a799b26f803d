/** The width and height of the icon, in pixels. */
const size = 32;

/** The address of an icon that shows nothing. */
const emptyIcon = 'data:,';

/** Returns a count in at most three characters: `7`, `10k`, at most `99k`. */
const shortenCount = (count: number): string => {
  if (count < 1000) return String(count);
  return count < 100_000 ? `${Math.floor(count / 1000)}k` : '99k';
};

/** Returns the address of an icon with a text: white on blue with a white outline, for light and dark tabs. */
const drawIcon = (text: string): string => {
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) return emptyIcon;
  context.fillStyle = '#1d4ed8';
  context.strokeStyle = '#fff';
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(1, 1, size - 2, size - 2, 6);
  context.fill();
  context.stroke();
  context.fillStyle = '#fff';
  context.font = `bold ${text.length > 2 ? 15 : 20}px sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, size / 2, size / 2 + 1, size - 6);
  return canvas.toDataURL();
};

/** Shows a count in the icon of the tab; no icon for 0. */
export const showInFavicon = (count: number): void => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (link) link.href = count > 0 ? drawIcon(shortenCount(count)) : emptyIcon;
};
